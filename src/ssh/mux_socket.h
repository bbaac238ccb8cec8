#pragma once

#include <string>

#include "ssh/stream_socket.h"

namespace slipway::ssh {

/// One connection through a session that OpenSSH shares (its PROTOCOL.mux, version 4): we hand the master one
/// end of a pair of sockets, and it makes it a direct-tcpip channel. What we send before the channel is open
/// waits.
class MuxSocket final : public StreamSocket {
 public:
  MuxSocket(std::string control_path, std::string host, int port)
      : control_path_(std::move(control_path)), host_(std::move(host)), port_(port) {}

  int connect() override;
  /// What the master said instead of opening the channel.
  std::string problem() const override;

 private:
  std::string control_path_;
  std::string host_;
  int port_;
  Fd control_;  ///< the channel lasts as long as this
};

/// Connects to the master's socket; not valid, with errno set, if nobody listens there.
Fd connect_to_master(const std::string& control_path);

}  // namespace slipway::ssh
