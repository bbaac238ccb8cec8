#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "slipway/core/clock.h"
#include "slipway/core/fd.h"
#include "slipway/core/result.h"

namespace slipway::ssh {

/// What a transport waits for by itself, whatever the session above it wants.
struct SocketWant {
  bool read = false;
  bool write = false;
  std::optional<Clock::time_point> until;
  bool again = false;  ///< it holds bytes for the session already
};

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
  /// What a reactor waits on; -1 before connect(), and the same from then on.
  virtual int fd() const = 0;
  /// What to wait for while connect_result() says EINPROGRESS.
  virtual SocketWant connecting() const { return {false, true, std::nullopt, false}; }
  /// What it waits for after that, beside bytes for the session: its own frames, its own timer.
  virtual SocketWant own_want() const { return {}; }
  /// Why it failed or ended, where it knows more than an errno says; else empty.
  virtual std::string problem() const { return {}; }
  /// Whether it failed or ended for a reason that another try will meet again.
  virtual bool hopeless() const { return false; }
};

/// Whether `text` is an IPv4 or IPv6 address in numbers.
bool is_literal_address(const std::string& text);

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
