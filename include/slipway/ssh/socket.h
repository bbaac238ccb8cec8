#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>

#include "slipway/core/fd.h"
#include "slipway/core/result.h"

namespace slipway::ssh {

/// The byte stream under a session. A seam: tests feed bytes and errors, one at a time. Nothing here blocks.
class Socket {
 public:
  virtual ~Socket() = default;
  /// Begins to connect. Errors are errno values; 0 when it began (or is done).
  virtual int connect() = 0;
  /// After connect() began and the descriptor became writable: 0 connected, EINPROGRESS not yet, else why
  /// not.
  virtual int connect_result() = 0;
  /// As send(2) and recv(2): -errno on failure, -EAGAIN when it would block, 0 from receive() at the end.
  virtual ssize_t send(const void* data, std::size_t size) = 0;
  virtual ssize_t receive(void* data, std::size_t size) = 0;
  /// What a reactor waits on; -1 before connect().
  virtual int fd() const = 0;
};

/// A TCP connection to a literal IPv4 or IPv6 address: API data never reaches a resolver or a shell.
class TcpSocket final : public Socket {
 public:
  TcpSocket(std::string address, int port) : address_(std::move(address)), port_(port) {}
  int connect() override;
  int connect_result() override;
  ssize_t send(const void* data, std::size_t size) override;
  ssize_t receive(void* data, std::size_t size) override;
  int fd() const override { return fd_.get(); }

 private:
  std::string address_;
  int port_;
  Fd fd_;
};

}  // namespace slipway::ssh
