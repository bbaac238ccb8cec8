#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "slipway/fleet/fan_out.h"
#include "unit/fleet/bed.h"
#include "unit/fleet/recorder.h"

namespace slipway::fleet {
namespace {

/// Runs `check` in a child with that hard limit of open files; true when it returned true.
template <typename Check>
bool with_limit(rlim_t soft, rlim_t hard, Check check) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{soft, hard};
    ::_exit(::setrlimit(RLIMIT_NOFILE, &limit) == 0 && check() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

rlim_t soft_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

TEST(ReserveDescriptors, RaisesTheSoftLimitToTheHardOne) {
  EXPECT_TRUE(with_limit(64, 1'024, [] { return reserve_descriptors(500).ok() && soft_limit() == 1'024; }));
}

TEST(ReserveDescriptors, SaysHowManyWorkersFitWhenTheyDoNot) {
  EXPECT_TRUE(with_limit(64, 256, [] {
    const Result<void> reserved = reserve_descriptors(1'000);
    return !reserved.ok() && reserved.error().code() == ErrorCode::kLocal &&
           reserved.error().message().find("160 workers fit") != std::string::npos &&
           reserved.error().next().find("ulimit -n 1096") != std::string::npos;
  }));
}

TEST(ReserveDescriptors, IsAskedBeforeAnythingIsConnected) {
  EXPECT_TRUE(with_limit(256, 256, [] {
    test::Recorder recorder;
    SystemClock clock;
    const Interrupt interrupt;
    const Result<std::vector<Outcome>> outcomes = fan_out(
        std::vector<Target>(1'000), [](std::size_t) { return ssh::RemoteCommand{}; }, {}, clock, interrupt,
        recorder);
    return !outcomes.ok() && outcomes.error().code() == ErrorCode::kLocal && recorder.phases.empty();
  }));
}

/// Everything but `spare` descriptors is taken, until the object ends.
class Hoard {
 public:
  explicit Hoard(std::size_t spare) {
    while (true) {
      Fd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!fd) break;
      held_.push_back(std::move(fd));
    }
    held_.resize(held_.size() - std::min(spare, held_.size()));
  }

 private:
  std::vector<Fd> held_;
};

TEST(FanOutDescriptors, RunningOutOfThemIsNoFailureOfAWorker) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP()
      << "UBSan looks at memory through a pipe of its own, and without descriptors reports good objects";
#endif
  const test::Bed bed;
  const auto targets = bed.targets(1, 8);
  EXPECT_TRUE(with_limit(128, 128, [&] {
    std::optional<Hoard> hoard;
    test::Recorder recorder;
    recorder.phase_hook = [&](std::size_t, ssh::Phase phase) {
      if (phase == ssh::Phase::kHandshake && recorder.phases[phase] == 1) hoard.emplace(2);
      if (phase == ssh::Phase::kConnect && recorder.phases[phase] == 24) hoard.reset();
    };
    SystemClock clock;
    const Interrupt interrupt;
    const auto outcomes = fan_out(
        targets, [](std::size_t) { return ssh::RemoteCommand{.text = "true"}; }, bed.options(), clock,
        interrupt, recorder);
    return outcomes.ok() && recorder.phases[ssh::Phase::kConnect] >= 24 &&
           std::all_of(outcomes->begin(), outcomes->end(),
                       [](const Outcome& one) { return one.kind == OutcomeKind::kOk; });
  }));
}

TEST(ReserveDescriptors, ALimitBelowOurOwnNeedsFitsNobody) {
  EXPECT_TRUE(with_limit(32, 32, [] {
    const Result<void> reserved = reserve_descriptors(1);
    return !reserved.ok() && reserved.error().message().find(" 0 workers fit") != std::string::npos;
  }));
}

}  // namespace
}  // namespace slipway::fleet
