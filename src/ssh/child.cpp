#include "ssh/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "slipway/core/fd.h"

namespace slipway::ssh {
namespace {

constexpr int kCannotRun = 127;

bool is_secret(const char* variable) {
  constexpr char kToken[] = "CLOUDSDK_AUTH_ACCESS_TOKEN=";
  return ::strncmp(variable, kToken, sizeof kToken - 1) == 0;
}

/// Between fork and exec: nothing here allocates.
[[noreturn]] void become(char* const* argv, char* const* environment, int input, int output, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kCannotRun);  // we died before the kernel knew what that means
  ::signal(SIGPIPE, SIG_DFL);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(input >= 0 ? input : null, STDIN_FILENO);
  ::dup2(output >= 0 ? output : null, STDOUT_FILENO);
  // libcurl 7.88 does not mark its sockets; none of ours is meant for it.
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  ::execvpe(argv[0], argv, environment);
  ::_exit(kCannotRun);
}

}  // namespace

int Child::start(const std::vector<std::string>& words, int input, int output) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_secret(*variable)) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  const pid_t self = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return errno;
  if (pid == 0) become(argv.data(), environment.data(), input, output, self);
  ::setpgid(pid, pid);  // whoever of the two comes first
  pid_ = pid;
  return 0;
}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  end();
  pid_ = std::exchange(other.pid_, -1);
  exit_code_ = other.exit_code_;
  return *this;
}

bool Child::has_ended() {
  if (pid_ < 0) return true;
  siginfo_t end{};
  // Left unreaped until its group has been told: so long nobody else can have its number.
  const int asked = ::waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT);
  if (asked == 0 && end.si_pid == 0) return false;
  exit_code_ = end.si_code == CLD_EXITED ? end.si_status : 128 + end.si_status;
  if (asked == 0) ::kill(-pid_, SIGTERM);  // what it started
  // Where our parent has SIGCHLD ignored the kernel has reaped it already.
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
  return true;
}

bool Child::ends_within(std::chrono::milliseconds limit) {
  if (has_ended()) return true;
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));  // glibc 2.36 has a name for it
  pollfd end{process.get(), POLLIN, 0};
  if (process) ::poll(&end, 1, static_cast<int>(limit.count()));
  return has_ended();
}

void Child::end() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGTERM);
  if (has_ended()) return;
  // It only carries bytes for a session that is over: nothing is lost by not asking twice.
  ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

}  // namespace slipway::ssh
