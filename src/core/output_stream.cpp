#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <optional>

#include "slipway/core/streams.h"

namespace slipway {
namespace {

/// A descriptor stays in the mode that it came in: O_NONBLOCK would reach every process that shares the
/// terminal. So each write is one that poll(2) promised room for: PIPE_BUF bytes.
class FdOutput final : public OutputStream {
 public:
  explicit FdOutput(int fd) : fd_(fd) {
    struct stat status {};
    always_takes_ = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  }
  ~FdOutput() override { flush(); }

  void queue(std::string_view text) override {
    if (!closed_ && !error_) pending_.append(text);
  }
  void drain() override {
    while (backlog() > 0 && (always_takes_ || ready(0)) && write_some()) {
    }
  }
  void flush() override {
    while (backlog() > 0 && (always_takes_ || ready(-1)) && write_some()) {
    }
  }
  std::size_t backlog() const override { return pending_.size() - written_; }
  int fd() const override { return fd_; }
  const Error* error() const override { return error_ ? &*error_ : nullptr; }
  bool closed() const override { return closed_; }

 private:
  bool ready(int timeout_ms) const {
    pollfd watched{fd_, POLLOUT, 0};
    while (true) {
      const int count = ::poll(&watched, 1, timeout_ms);
      if (count >= 0) return count > 0;
      if (errno != EINTR) return false;
    }
  }

  bool write_some() {
    const std::size_t most = always_takes_ ? backlog() : std::min<std::size_t>(backlog(), PIPE_BUF);
    const ssize_t count = ::write(fd_, pending_.data() + written_, most);
    if (count < 0) return write_failed(errno);
    written_ += static_cast<std::size_t>(count);
    if (written_ == pending_.size() || written_ > (std::size_t{1} << 20)) {
      pending_.erase(0, written_);
      written_ = 0;
    }
    return true;
  }

  bool write_failed(int number) {
    if (number == EINTR || number == EAGAIN) return number == EINTR || ready(-1);
    if (number == EPIPE) {
      closed_ = true;
    } else {
      error_ = system_error(ErrorCode::kLocal, "cannot write the output", number);
      if (number == EBADF) error_ = std::move(*error_).why("it was closed before slipway started");
    }
    pending_.clear();
    written_ = 0;
    return false;
  }

  int fd_;
  bool always_takes_ = false;
  bool closed_ = false;
  std::string pending_;
  std::size_t written_ = 0;
  std::optional<Error> error_;
};

}  // namespace

std::unique_ptr<OutputStream> make_fd_output(int fd) { return std::make_unique<FdOutput>(fd); }

}  // namespace slipway
