#include "support/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace slipway::test {
namespace {

using std::chrono::steady_clock;

std::pair<Fd, Fd> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  return {Fd(ends[0]), Fd(ends[1])};
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> assignments(const Program::Environment& environment) {
  std::vector<std::string> list;
  for (const auto& [name, value] : environment) list.push_back(name + "=" + value);
  if (environment.count("PATH") == 0) list.push_back(std::string("PATH=") + ::getenv("PATH"));
  return list;
}

/// False at the end of the stream.
bool take(const Fd& fd, std::string& text) {
  char buffer[65536];
  const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
  if (count < 0) return errno == EINTR;
  text.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

Program::Program(const std::vector<std::string>& words, const Environment& environment) {
  auto [out_read, out_write] = make_pipe();
  auto [err_read, err_write] = make_pipe();
  std::vector<std::string> own_words = words;
  std::vector<std::string> own_environment = assignments(environment);
  const std::vector<char*> argv = pointers(own_words);
  const std::vector<char*> envp = pointers(own_environment);
  const auto home = environment.find("HOME");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(out_write.get(), STDOUT_FILENO);
    ::dup2(err_write.get(), STDERR_FILENO);
    ::close_range(STDERR_FILENO + 1, ~0U, 0);  // what the runner of tests left open is not the program's
    ::signal(SIGPIPE, SIG_DFL);
    if (home != environment.end() && ::chdir(home->second.c_str()) != 0) ::_exit(126);
    ::execvpe(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  out_fd_ = std::move(out_read);
  err_fd_ = std::move(err_read);
}

Program::~Program() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Program::send(int signal_number) const { ::kill(pid_, signal_number); }

bool Program::read_some(steady_clock::time_point deadline) {
  if (!out_fd_ && !err_fd_) return false;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
  if (left <= 0) return false;
  pollfd watched[2] = {{out_fd_.get(), POLLIN, 0}, {err_fd_.get(), POLLIN, 0}};
  if (::poll(watched, 2, static_cast<int>(left)) <= 0) return errno == EINTR;
  if (watched[0].revents != 0 && !take(out_fd_, out_)) out_fd_.reset();
  if (watched[1].revents != 0 && !take(err_fd_, err_)) err_fd_.reset();
  return true;
}

bool Program::read_until(const std::function<bool(const std::string&, const std::string&)>& holds,
                         std::chrono::seconds limit) {
  const auto deadline = steady_clock::now() + limit;
  while (!holds(out_, err_)) {
    if (!read_some(deadline)) return holds(out_, err_);
  }
  return true;
}

Ended Program::wait(std::chrono::seconds limit) {
  Ended ended;
  const auto deadline = steady_clock::now() + limit;
  while (read_some(deadline)) {
  }
  // Both streams are at their end, or the time is over: a program that closed them and lives on counts as
  // hung too.
  int status = 0;
  ended.hung = static_cast<bool>(out_fd_) || static_cast<bool>(err_fd_);
  if (ended.hung) ::kill(pid_, SIGKILL);
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  ended.dumped_core = WIFSIGNALED(status) && WCOREDUMP(status);
  ended.out = std::move(out_);
  ended.err = std::move(err_);
  return ended;
}

Ended run_program(const std::vector<std::string>& words, const Program::Environment& environment,
                  std::chrono::seconds limit) {
  Program program(words, environment);
  return program.wait(limit);
}

}  // namespace slipway::test
