#pragma once

#include <cerrno>
#include <memory>
#include <utility>

#include "slipway/ssh/socket.h"

namespace slipway::fleet {

/// A socket that keeps why connecting failed: whether to try again depends on the number, not on the words.
class RecordingSocket final : public ssh::Socket {
 public:
  /// `error` outlives the socket; it is 0 until connecting fails.
  RecordingSocket(std::unique_ptr<ssh::Socket> socket, int& error)
      : socket_(std::move(socket)), error_(error) {}

  int connect() override { return keep(socket_->connect()); }
  int connect_result() override { return keep(socket_->connect_result()); }
  ssize_t send(const void* data, std::size_t size) override { return socket_->send(data, size); }
  ssize_t receive(void* data, std::size_t size) override { return socket_->receive(data, size); }
  int fd() const override { return socket_->fd(); }
  ssh::SocketWant connecting() const override { return socket_->connecting(); }
  ssh::SocketWant own_want() const override { return socket_->own_want(); }
  std::string problem() const override { return socket_->problem(); }
  bool hopeless() const override { return socket_->hopeless(); }

 private:
  int keep(int number) {
    if (number != EINPROGRESS) error_ = number;
    return number;
  }

  std::unique_ptr<ssh::Socket> socket_;
  int& error_;
};

}  // namespace slipway::fleet
