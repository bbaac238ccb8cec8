#include "bench/measure.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "bench/process_tree.h"
#include "slipway/core/fd.h"

namespace slipway::bench {
namespace {

using Clock = std::chrono::steady_clock;

Seconds seconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

/// In the child: never returns.
[[noreturn]] void become(Program program) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setsid();  // pdsh and pssh must not find a terminal to ask at
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int standard : {0, 1, 2}) ::dup2(nothing, standard);
  for (std::string& pair : program.environment) ::putenv(pair.data());
  const std::vector<char*> argv = pointers(program.argv);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

/// What a client leaves behind comes to us, to be ended and counted.
void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

int exit_code(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

void add(Cost& cost, const rusage& usage) { cost.cpu += seconds(usage.ru_utime) + seconds(usage.ru_stime); }

/// Waits for `pid` and then for every orphan of it. The processor time of a process holds that of the
/// children it has waited for, so the sum is the whole tree's.
void collect(pid_t pid, Cost& cost) {
  int status = 0;
  rusage usage{};
  ::wait4(pid, &status, 0, &usage);
  cost.exit_code = exit_code(status);
  cost.peak_kib = static_cast<std::size_t>(usage.ru_maxrss);
  add(cost, usage);
  for (const pid_t left : process_tree(::getpid())) {
    if (left != ::getpid()) kill_tree(left);
  }
  while (::wait4(-1, &status, 0, &usage) > 0) add(cost, usage);
}

/// One run that goes on: waits for the end and for arrivals.
class Watch {
 public:
  Watch(pid_t pid, Barrier* barrier, LookAt look, const Limits& limits)
      : pid_(pid),
        end_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))),
        barrier_(barrier),
        look_(look),
        limits_(limits),
        began_(Clock::now()),
        last_sign_(began_) {}

  /// Until the program has ended, or was ended because nothing came any more.
  void wait(Cost& cost) {
    while (!ended()) {
      const Seconds left =
          std::min(limits_.whole - (Clock::now() - began_), limits_.stall - (Clock::now() - last_sign_));
      if (left.count() <= 0) return give_up(cost);
      sleep_at_most(left);
      if (barrier_ != nullptr) look_at_barrier(cost);
    }
  }

 private:
  bool ended() const {
    pollfd end{end_.get(), POLLIN, 0};
    return ::poll(&end, 1, 0) > 0;
  }

  void sleep_at_most(Seconds left) const {
    pollfd watched[] = {{end_.get(), POLLIN, 0}, {barrier_ == nullptr ? -1 : barrier_->fd(), POLLIN, 0}};
    ::poll(watched, 2, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count()));
  }

  void look_at_barrier(Cost& cost) {
    const std::size_t before = barrier_->arrived();
    const bool full = barrier_->accept_all();
    if (barrier_->arrived() != before) last_sign_ = Clock::now();
    if (!full) return;
    if (look_ == LookAt::kMemory) cost.tree_kib = proportional_kib(process_tree(pid_));
    barrier_->release();
  }

  void give_up(Cost& cost) const {
    cost.hung = true;
    kill_tree(pid_);
  }

  pid_t pid_;
  Fd end_;
  Barrier* barrier_;
  LookAt look_;
  Limits limits_;
  Clock::time_point began_;
  Clock::time_point last_sign_;
};

/// Threads that run or could, ours included.
int running() {
  std::ifstream file("/proc/stat");
  std::string word;
  int count = 0;
  while (file >> word) {
    if (word == "procs_running" && file >> count) return count;
  }
  return count;
}

}  // namespace

void settle() {
  constexpr int kQuietLooks = 10;
  const auto end = Clock::now() + std::chrono::seconds(1);
  for (int quiet = 0; quiet < kQuietLooks && Clock::now() < end;) {
    ::poll(nullptr, 0, 20);
    quiet = running() <= 1 ? quiet + 1 : 0;
  }
}

Cost measure(const Program& program, Barrier* barrier, std::size_t expected, LookAt look,
             const Limits& limits) {
  adopt_orphans();
  if (barrier != nullptr) barrier->begin(expected);
  Cost cost;
  const auto began = Clock::now();
  const pid_t pid = ::fork();
  if (pid == 0) become(program);
  Watch(pid, barrier, look, limits).wait(cost);
  cost.wall = Clock::now() - began;
  if (barrier != nullptr) cost.started = barrier->arrived();
  collect(pid, cost);
  if (barrier != nullptr) barrier->begin(0);
  return cost;
}

}  // namespace slipway::bench
