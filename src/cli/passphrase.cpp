#include "cli/passphrase.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr std::size_t kLongest = 4096;

Result<Secret> read_passphrase_file(const std::string& path, bool again) {
  if (again) {
    return Error(ErrorCode::kUsage, fmt::format("the passphrase in '{}' is wrong", path))
        .why("--ssh-key-passphrase-file: its first line is the passphrase");
  }
  struct stat status {};
  if (path != "-" && ::stat(path.c_str(), &status) == 0 && status.st_uid == ::getuid() &&
      S_ISREG(status.st_mode) && (status.st_mode & 077) != 0) {
    return Error(ErrorCode::kUsage, fmt::format("the passphrase file '{}' can be read by others", path))
        .why(fmt::format("its mode is {:04o}", status.st_mode & 07777))
        .next("chmod 600 " + shell_quote(path));
  }
  TRY(std::string text, read_file(path, kLongest));
  Secret passphrase(text.substr(0, text.find_first_of("\r\n")));
  wipe(text);
  return passphrase;
}

/// A terminal that shows nothing of what is typed, until this ends.
class Hidden {
 public:
  explicit Hidden(int fd) : fd_(fd) {
    if (::tcgetattr(fd_, &before_) != 0) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK | ECHONL);
    changed_ = ::tcsetattr(fd_, TCSAFLUSH, &silent) == 0;
  }
  ~Hidden() {
    if (changed_) ::tcsetattr(fd_, TCSAFLUSH, &before_);
  }
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;

 private:
  int fd_;
  termios before_{};
  bool changed_ = false;
};

void say_to(int fd, std::string_view text) {
  // A terminal that takes nothing more is no reason to fail: what is typed still counts.
  [[maybe_unused]] const ssize_t written = ::write(fd, text.data(), text.size());
}

Result<std::string> read_hidden_line(int fd, const Interrupt& interrupt) {
  std::string line;
  while (true) {
    pollfd watched[2] = {{fd, POLLIN, 0}, {interrupt.fd(), POLLIN, 0}};
    ::poll(watched, 2, -1);  // a person ends it, or the interrupt
    if (interrupt.requested())
      return Error::interrupted(interrupt.signal_number(), "interrupted at the question for a passphrase");
    if (watched[0].revents == 0) continue;
    char byte = 0;
    const ssize_t count = ::read(fd, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || byte == '\n') return line;
    if (line.size() < kLongest) line += byte;
  }
}

Result<Secret> ask_on_terminal(const std::string& path, bool again, Services& services) {
  const Fd terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal) {
    return Error(ErrorCode::kUsage, fmt::format("the ssh key '{}' has a passphrase", path))
        .why("there is no terminal to ask for it")
        .next("ssh-add " + shell_quote(path) + "   (or: --ssh-key-passphrase-file FILE)");
  }
  services.streams.err->flush();
  const Hidden hidden(terminal.get());
  say_to(terminal.get(), again ? "That is not the passphrase. " : "");
  say_to(terminal.get(), fmt::format("Passphrase of '{}': ", printable(path)));
  Result<std::string> line = read_hidden_line(terminal.get(), services.interrupt);
  say_to(terminal.get(), "\n");
  if (!line.ok()) return std::move(line).error();
  Secret passphrase(*line);
  wipe(*line);
  return passphrase;
}

}  // namespace

ssh::AskPassphrase passphrase_from(const std::string& file, Services& services) {
  return [file, &services](const std::string& path, bool again) {
    return file.empty() ? ask_on_terminal(path, again, services) : read_passphrase_file(file, again);
  };
}

}  // namespace slipway::cli
