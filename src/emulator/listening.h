#pragma once

#include <set>
#include <string>
#include <string_view>

namespace slipway::emulator {

/// The IPv4 addresses that listen on `port`, from the text of /proc/net/tcp. Looking there costs the sshds
/// nothing; each connection to try one would cost it a process.
std::set<std::string> listening_addresses(std::string_view proc_net_tcp, int port);
/// The same, of this machine now.
std::set<std::string> listening_addresses(int port);

/// A port that is free on 127.0.0.1 and outside of the range that outgoing connections take theirs from; 0
/// when there is none.
int find_free_port();
/// Whether `port` can be bound on `address`.
bool is_free(const std::string& address, int port);

/// Ends the connection of this process between its port `own_port` and the other side's `peer_port`; what is
/// written to it from then on is lost. cpp-httplib 0.11 tells a handler the ports, but not the socket.
void end_connection(int peer_port, int own_port);

}  // namespace slipway::emulator
