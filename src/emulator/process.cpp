#include "emulator/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

// In the child, between fork and exec: other threads of ours may have held any lock, so only system calls are
// allowed.
[[noreturn]] void become(const std::vector<char*>& argv, const std::vector<char*>& environment, int null,
                         int log, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it ended before the line above
  ::setsid();
  for (int number = 1; number < NSIG; ++number)
    ::signal(number, SIG_DFL);  // cpp-httplib ignores SIGPIPE: exec would keep that
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(null, 0);
  ::dup2(log, 1);
  ::dup2(log, 2);
  ::close_range(3, ~0U, 0);
  ::execve(argv[0], argv.data(), environment.data());
  ::_exit(127);
}

std::vector<pid_t> read_numbers(const std::string& path) {
  std::ifstream file(path);
  std::vector<pid_t> numbers;
  for (pid_t number = 0; file >> number;) numbers.push_back(number);
  return numbers;
}

// Field 4 of /proc/PID/stat; the name before it is in parentheses and may hold anything.
pid_t parent_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::stringstream text;
  text << file.rdbuf();
  const std::string stat = text.str();
  const std::size_t end = stat.rfind(')');
  if (end == std::string::npos) return -1;
  char state = 0;
  pid_t parent = -1;
  std::istringstream(stat.substr(end + 1)) >> state >> parent;
  return state == 'Z' ? -1 : parent;
}

bool has_environment(pid_t pid, const std::string& mark) {
  std::ifstream file(fmt::format("/proc/{}/environ", pid));
  for (std::string entry; std::getline(file, entry, '\0');) {
    if (entry == mark) return true;
  }
  return false;
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> all;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return all;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name.find_first_not_of("0123456789") == std::string::npos) all.push_back(std::stoi(name));
  }
  ::closedir(folder);
  return all;
}

bool descends_from(pid_t pid, pid_t root) {
  for (int depth = 0; pid > 1 && depth < 64; ++depth) {
    if (pid == root) return true;
    pid = parent_of(pid);
  }
  return false;
}

}  // namespace

Result<pid_t> spawn(const Program& program) {
  const Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd log(::open(program.log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (!log) return system_error(ErrorCode::kLocal, fmt::format("cannot write '{}'", program.log), errno);
  const std::vector<char*> argv = pointers(program.argv);
  const std::vector<char*> environment = pointers(program.environment);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0)
    return system_error(ErrorCode::kLocal, fmt::format("cannot start '{}'", program.argv[0]), errno);
  if (pid == 0) become(argv, environment, null.get(), log.get(), parent);
  return pid;
}

bool reap(pid_t pid) {
  pid_t ended = 0;
  do {
    ended = ::waitpid(pid, nullptr, WNOHANG);
  } while (ended < 0 && errno == EINTR);
  return ended != 0;
}

Result<int> run(const Program& program) {
  TRY(const pid_t pid, spawn(program));
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR)
      return system_error(ErrorCode::kLocal, fmt::format("cannot wait for '{}'", program.argv[0]), errno);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string find_program(const std::string& name) {
  std::vector<std::string> folders = split(env("PATH"), ':');
  folders.insert(folders.end(), {"/usr/sbin", "/usr/local/sbin", "/usr/bin", "/bin", "/sbin"});
  for (const std::string& folder : folders) {
    const std::string path = folder + "/" + name;
    if (folder.rfind('/', 0) == 0 && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

void kill_namespace(pid_t monitor) {
  for (const pid_t init : read_numbers(fmt::format("/proc/{0}/task/{0}/children", monitor)))
    ::kill(init, SIGKILL);
}

bool kill_family(pid_t root, const std::string& mark) {
  std::vector<pid_t> family;
  for (const pid_t pid : all_processes()) {
    if (pid == ::getpid() || parent_of(pid) < 0) continue;
    if (descends_from(pid, root) || has_environment(pid, mark)) family.push_back(pid);
  }
  for (const pid_t pid : family) ::kill(pid, SIGKILL);
  return !family.empty();
}

}  // namespace slipway::emulator
