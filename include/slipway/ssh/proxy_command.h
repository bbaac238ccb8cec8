#pragma once

#include <memory>
#include <string>

#include "slipway/ssh/socket.h"

namespace slipway::ssh {

/// `command` with %h, %p and %r replaced by host, port and user, and %% by %, as in ssh's ProxyCommand.
/// Errors (kUsage): another letter behind a percent sign; a host that is no literal address, or a user with
/// characters that a shell would read, as they come from the API and the line goes to one.
Result<std::string> expand_proxy_command(const std::string& command, const std::string& host, int port,
                                         const std::string& user);

/// The stdin and stdout of a program as the way to a worker: `line` is run by /bin/sh for this one
/// connection, and ended with it. Its stderr is ours.
std::unique_ptr<Socket> make_proxy_command_socket(std::string line);

}  // namespace slipway::ssh
