#include "slipway/ssh/proxy_command.h"

#include <cerrno>
#include <chrono>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "ssh/child.h"
#include "ssh/stream_socket.h"

namespace slipway::ssh {
namespace {

/// Microseconds, on a machine that is not overloaded.
constexpr std::chrono::milliseconds kFromItsLastFileToItsEnd{100};

class ProxyCommandSocket final : public StreamSocket {
 public:
  explicit ProxyCommandSocket(std::string line) : line_(std::move(line)) {}

  int connect() override {
    Fd theirs;
    if (const int error = make_pair(theirs); error != 0) return error;
    return child_.start({"/bin/sh", "-c", "exec " + line_}, theirs.get(), theirs.get());
  }

  ssize_t receive(void* data, std::size_t size) override {
    const ssize_t count = StreamSocket::receive(data, size);
    closed_ = closed_ || (count <= 0 && count != -EAGAIN);
    return count;
  }

  std::string problem() const override {
    if (has_ended()) return fmt::format("the proxy command ended with code {}", child_.exit_code());
    return closed_ ? "the proxy command ended" : "";
  }

  /// There is no such program, or it is none: a shell says so with these two.
  bool hopeless() const override {
    return closed_ && has_ended() && (child_.exit_code() == 126 || child_.exit_code() == 127);
  }

 private:
  /// A program lets go of its files a moment before anybody can see that it has ended. One that only let go
  /// of them and goes on is waited for once.
  bool has_ended() const {
    if (!closed_ || waited_) return child_.has_ended();
    waited_ = true;
    return child_.ends_within(kFromItsLastFileToItsEnd);
  }

  bool closed_ = false;
  mutable bool waited_ = false;
  std::string line_;
  mutable Child child_;
};

bool is_plain(std::string_view user) {
  constexpr std::string_view kTaken = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@+-";
  return user.substr(0, 1) != "-" && user.find_first_not_of(kTaken) == std::string_view::npos;
}

}  // namespace

Result<std::string> expand_proxy_command(const std::string& command, const std::string& host, int port,
                                         const std::string& user) {
  if (!is_literal_address(host))
    return Error(ErrorCode::kUsage, fmt::format("--proxy-command: '{}' is no address", printable(host)));
  if (!is_plain(user))
    return Error(ErrorCode::kUsage, fmt::format("--proxy-command: '{}' is no user name", printable(user)));
  std::string line;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] != '%') {
      line += command[i];
      continue;
    }
    const char letter = ++i < command.size() ? command[i] : '\0';
    if (letter == 'h') {
      line += host;
    } else if (letter == 'p') {
      line += std::to_string(port);
    } else if (letter == 'r') {
      line += user;
    } else if (letter == '%') {
      line += '%';
    } else {
      return Error(ErrorCode::kUsage, fmt::format("--proxy-command: '%{}' stands for nothing",
                                                  letter == '\0' ? "" : printable(std::string(1, letter))))
          .why("%h is the worker's address, %p the port, %r the user, %% a percent sign");
    }
  }
  return line;
}

std::unique_ptr<Socket> make_proxy_command_socket(std::string line) {
  return std::make_unique<ProxyCommandSocket>(std::move(line));
}

}  // namespace slipway::ssh
