#include "tpu/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "slipway/core/fd.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::tpu {
namespace {

/// How long an interrupt may go unseen.
constexpr int kPollMs = 50;
constexpr std::size_t kMaxErrorText = 4096;
constexpr std::size_t kChunk = 16384;
constexpr int kRoundsOfAPipe = 8;

struct Pipe {
  Fd read;
  Fd write;
};

Result<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error(ErrorCode::kLocal, "cannot make a pipe", errno);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

struct SpawnActions {
  SpawnActions() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// In a process group of its own, with the signals as a program expects to find them.
Result<pid_t> spawn(const ChildProgram& program, int out, int err) {
  SpawnActions spawning;
  posix_spawn_file_actions_addopen(&spawning.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&spawning.actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&spawning.actions, err, STDERR_FILENO);
  sigset_t none;
  sigset_t defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) sigaddset(&defaults, number);
  posix_spawnattr_setsigmask(&spawning.attributes, &none);
  posix_spawnattr_setsigdefault(&spawning.attributes, &defaults);
  posix_spawnattr_setpgroup(&spawning.attributes, 0);
  posix_spawnattr_setflags(&spawning.attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  const int failure =
      ::posix_spawnp(&pid, program.words.front().c_str(), &spawning.actions, &spawning.attributes,
                     pointers(program.words).data(), pointers(program.environment).data());
  if (failure == 0) return pid;
  return system_error(ErrorCode::kDenied, fmt::format("cannot start '{}'", program.words.front()), failure);
}

/// False at the end of the stream.
bool take(int fd, std::string& text) {
  char buffer[kChunk];
  const ssize_t count = ::read(fd, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR;
  text.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

enum class End { kEnded, kTimedOut, kInterrupted, kTooMuch };

/// A child whose pipes we read until it is gone; kills its whole group if it is not by then.
class Child {
 public:
  Child(pid_t pid, Fd out, Fd err) : pid_(pid), out_(std::move(out)), err_(std::move(err)) {}
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// A program that leaves a child of its own with our pipes is over when it is over itself.
  End follow(const ChildProgram& program, Clock& clock) {
    const BootClock::time_point deadline = BootClock::now() + program.timeout;
    while (!reap()) {
      if (BootClock::now() >= deadline) return End::kTimedOut;
      if (!clock.sleep_until(clock.now())) return End::kInterrupted;
      if (!read_once(kPollMs, program.max_output)) return End::kTooMuch;
    }
    return read_rest(program.max_output) ? End::kEnded : End::kTooMuch;
  }

  ChildOutput output() && {
    const std::string error_text(trim(err_text_));
    const std::size_t line = error_text.rfind('\n');
    return {std::move(out_text_), line == std::string::npos ? error_text : error_text.substr(line + 1),
            exit_code_, false};
  }

 private:
  bool reap() {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
    pid_ = -1;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
  }

  bool read_once(int wait_ms, std::size_t limit) {
    pollfd watched[] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
    ready_ = ::poll(watched, 2, wait_ms);
    if (ready_ <= 0) return true;
    if (watched[0].revents != 0 && !take(out_.get(), out_text_)) out_.reset();
    if (watched[1].revents != 0 && !take(err_.get(), err_text_)) err_.reset();
    if (err_text_.size() > kMaxErrorText) err_text_.erase(0, err_text_.size() - kMaxErrorText);
    return out_text_.size() <= limit;
  }

  /// What is in the pipes at its end, 64 KiB each; what a grandchild goes on to write is not waited for.
  bool read_rest(std::size_t limit) {
    for (int round = 0; round < kRoundsOfAPipe; ++round) {
      if (!read_once(0, limit)) return false;
      if (ready_ <= 0) break;
    }
    return true;
  }

  pid_t pid_;
  Fd out_;
  Fd err_;
  std::string out_text_;
  std::string err_text_;
  int exit_code_ = -1;
  int ready_ = 0;
};

}  // namespace

Result<ChildOutput> run_child(const ChildProgram& program, Clock& clock) {
  TRY(Pipe out, make_pipe());
  TRY(Pipe err, make_pipe());
  TRY(const pid_t pid, spawn(program, out.write.get(), err.write.get()));
  out.write.reset();
  err.write.reset();
  Child child(pid, std::move(out.read), std::move(err.read));
  switch (child.follow(program, clock)) {
    case End::kEnded:
      return std::move(child).output();
    case End::kTimedOut: {
      ChildOutput late = std::move(child).output();
      late.timed_out = true;
      return late;
    }
    case End::kInterrupted:
      return Error(ErrorCode::kInterrupted, fmt::format("interrupted in '{}'", program.words.front()));
    case End::kTooMuch:
      break;
  }
  return Error(ErrorCode::kDenied, fmt::format("'{}' says too much", program.words.front()))
      .why(fmt::format("more than {} bytes", program.max_output));
}

}  // namespace slipway::tpu
