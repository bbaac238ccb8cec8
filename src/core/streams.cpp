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
/// it. 1 and 2 are taken for reading only: a write there fails with EBADF.
void open_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDONLY));
  }
}

int number_in(const std::string& variable, int otherwise) {
  const std::string text = env(variable);
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number > 0 ? number : otherwise;
}

bool is_dumb() {
  const std::string term = env("TERM");
  return term.empty() || term == "dumb";
}

bool wants_color(bool terminal) {
  if (!env("NO_COLOR").empty()) return false;
  if (const std::string force = env("CLICOLOR_FORCE"); !force.empty() && force != "0") return true;
  return env("CLICOLOR") != "0" && terminal && !is_dumb();
}

}  // namespace

TerminalSize terminal_size() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
    return {size.ws_col, size.ws_row};
  return {number_in("COLUMNS", 80), number_in("LINES", 24)};
}

void Streams::choose_color(ColorWish wish) {
  out_color = wish == ColorWish::kAlways || (wish == ColorWish::kAuto && wants_color(out_is_tty));
  err_color = wish == ColorWish::kAlways || (wish == ColorWish::kAuto && wants_color(err_is_tty));
}

Streams Streams::standard() {
  open_standard_descriptors();
  Streams streams;
  streams.out = make_fd_output(STDOUT_FILENO);
  streams.err = make_fd_output(STDERR_FILENO);
  streams.in_is_tty = ::isatty(STDIN_FILENO) == 1;
  streams.out_is_tty = ::isatty(STDOUT_FILENO) == 1;
  streams.err_is_tty = ::isatty(STDERR_FILENO) == 1;
  streams.err_redraws = streams.err_is_tty && !is_dumb();
  streams.columns = terminal_size().columns;
  streams.choose_color(ColorWish::kAuto);
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
