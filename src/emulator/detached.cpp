// The emulator as a process of its own, and its end.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "emulator/state_folder.h"
#include "slipway/core/clock.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"

namespace slipway::emulator {
namespace {

constexpr std::chrono::seconds kStartLimit{30};
constexpr std::chrono::seconds kStopLimit{30};
constexpr std::chrono::milliseconds kLook{10};

// What the child tells its parent: nothing but a dot when it is ready, else the error as JSON.
constexpr char kReady = '.';

void tell(int pipe, const std::string& text) {
  if (::write(pipe, text.data(), text.size()) < 0) return;  // the parent has gone: nobody to tell
}

std::string describe(const Error& error) {
  return dump_json(Json{{"code", static_cast<int>(error.code())},
                        {"message", error.message()},
                        {"why", error.why()},
                        {"next", error.next()}});
}

Error read_error(const std::string& text) {
  const Result<Json> document = parse_json(text);
  if (!document.ok()) return Error(ErrorCode::kLocal, "the emulator ended while it was starting");
  const auto code = static_cast<ErrorCode>(int_member(*document, "code").value_or(0));
  return Error(code, string_member(*document, "message"))
      .why(string_member(*document, "why"))
      .next(string_member(*document, "next"));
}

// In the new process: no terminal, no descriptor of the caller's, and a log instead of stderr.
void leave(int pipe, const std::string& log) {
  ::setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::umask(022);  // the workers' users read files that we write
  const int null = ::open("/dev/null", O_RDONLY);
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(null, 0);
  ::dup2(file, 1);
  ::dup2(file, 2);
  ::dup2(pipe, 3);
  ::fcntl(3, F_SETFD, FD_CLOEXEC);
  ::close_range(4, ~0U, 0);
  if (::chdir("/") != 0) return;  // it then keeps the caller's folder busy, nothing worse
}

[[noreturn]] void serve_and_exit(EmulatorOptions options, int pipe) {
  leave(pipe, options.state_dir + "/emulator.log");
  Interrupt interrupt;
  interrupt.install();
  const Result<void> served = serve(options, interrupt, [](const Exports&) {
    tell(3, {kReady});
    ::close(3);
  });
  if (!served.ok()) tell(3, describe(served.error()));
  ::_exit(served.ok() ? 0 : 1);
}

// Two forks, so that the emulator is nobody's child and no zombie of it is left to whoever started it.
bool fork_away(const EmulatorOptions& options, int pipe) {
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) serve_and_exit(options, pipe);
    ::_exit(grandchild < 0 ? 1 : 0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0;
}

std::string read_all(int pipe, Clock::time_point deadline) {
  std::string text;
  char buffer[4'096];
  while (BootClock::now() < deadline) {
    pollfd wait{pipe, POLLIN, 0};
    if (::poll(&wait, 1, 100) <= 0) continue;
    const ssize_t size = ::read(pipe, buffer, sizeof buffer);
    if (size <= 0 && errno != EINTR) break;
    if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
    if (text == std::string(1, kReady)) break;
  }
  return text;
}

bool wait_for_end(const std::string& state_dir, Clock::time_point deadline) {
  while (server_of(state_dir)) {
    if (BootClock::now() >= deadline) return false;
    std::this_thread::sleep_for(kLook);
  }
  return true;
}

}  // namespace

Result<Exports> start_detached(const EmulatorOptions& options) {
  EmulatorOptions own = options;
  own.state_dir = absolute(options.state_dir);
  TRY(make_directories(own.state_dir, 0700));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error(ErrorCode::kLocal, "cannot make a pipe", errno);
  const Fd reader(ends[0]);
  Fd writer(ends[1]);
  if (!fork_away(own, writer.get())) return system_error(ErrorCode::kLocal, "cannot start a process", errno);
  writer.reset();
  const std::string word = read_all(reader.get(), BootClock::now() + kStartLimit);
  if (word != std::string(1, kReady)) return read_error(word);
  return exports_of(own.state_dir);
}

Result<void> stop(const std::string& state_dir) {
  const std::string path = absolute(state_dir);
  const std::optional<pid_t> server = server_of(path);
  if (!server) return Error(ErrorCode::kNotFound, fmt::format("no emulator runs in '{}'", path));
  ::kill(*server, SIGTERM);
  if (wait_for_end(path, BootClock::now() + kStopLimit)) return {};
  ::kill(*server, SIGKILL);
  if (wait_for_end(path, BootClock::now() + kStopLimit)) return {};
  return Error(ErrorCode::kTimeout, fmt::format("process {} of the emulator does not end", *server));
}

}  // namespace slipway::emulator
