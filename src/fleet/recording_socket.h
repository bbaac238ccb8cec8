#pragma once

#include <cerrno>

#include "slipway/ssh/socket.h"

namespace slipway::fleet {

/// A TcpSocket that keeps why connecting failed: whether to try again depends on the number, not on the
/// words.
class RecordingSocket final : public ssh::Socket {
 public:
  /// `error` outlives the socket; it is 0 until connecting fails.
  RecordingSocket(std::string address, int port, int& error)
      : socket_(std::move(address), port), error_(error) {}

  int connect() override { return keep(socket_.connect()); }
  int connect_result() override { return keep(socket_.connect_result()); }
  ssize_t send(const void* data, std::size_t size) override { return socket_.send(data, size); }
  ssize_t receive(void* data, std::size_t size) override { return socket_.receive(data, size); }
  int fd() const override { return socket_.fd(); }

 private:
  int keep(int number) {
    if (number != EINPROGRESS) error_ = number;
    return number;
  }

  ssh::TcpSocket socket_;
  int& error_;
};

}  // namespace slipway::fleet
