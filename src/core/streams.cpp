#include "slipway/core/streams.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "slipway/core/file.h"

namespace slipway {
namespace {

/// A program started with descriptor 1 closed would hand that number to its first socket, and then print into
/// it.
void open_standard_descriptors() {
  int fd = ::open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= 2) fd = ::open("/dev/null", O_RDWR);
  if (fd > 2) ::close(fd);
}

int terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string text = env("COLUMNS");
  int columns = 0;
  std::from_chars(text.data(), text.data() + text.size(), columns);
  return columns > 0 ? columns : 80;
}

}  // namespace

Streams Streams::standard() {
  open_standard_descriptors();
  Streams streams;
  streams.out = make_fd_output(STDOUT_FILENO);
  streams.err = make_fd_output(STDERR_FILENO);
  const bool dumb = env("TERM") == "dumb";
  streams.in_is_tty = ::isatty(STDIN_FILENO) == 1;
  streams.out_is_tty = !dumb && ::isatty(STDOUT_FILENO) == 1;
  streams.err_is_tty = !dumb && ::isatty(STDERR_FILENO) == 1;
  streams.columns = terminal_columns();
  return streams;
}

Result<std::string> read_line(const Interrupt& interrupt) {
  std::string line;
  while (true) {
    pollfd watched[2] = {{STDIN_FILENO, POLLIN, 0}, {interrupt.fd(), POLLIN, 0}};
    ::poll(watched, 2, -1);
    if (interrupt.requested())
      return Error::interrupted(interrupt.signal_number(), "interrupted at a question");
    if (watched[0].revents == 0) continue;
    char byte = 0;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0) return system_error(ErrorCode::kLocal, "cannot read the answer", errno);
    if (count == 0) return Error(ErrorCode::kUsage, "the input ended before an answer came");
    if (byte == '\n') return line;
    line += byte;
  }
}

}  // namespace slipway
