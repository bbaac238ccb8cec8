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
           reserved.error().message().find("workers fit") != std::string::npos &&
           reserved.error().next().find("ulimit -n 10") != std::string::npos;
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

/// The number of workers that a refusal names.
std::size_t that_fit(const Error& error) {
  const std::string& text = error.message();
  const std::size_t end = text.find(" workers fit");
  return std::stoul(text.substr(text.rfind(' ', end - 1)));
}

TEST(ReserveDescriptors, TheNumberThatIsSaidToFitDoesFit) {
  for (const rlim_t limit : {64u, 256u, 1'024u}) {
    EXPECT_TRUE(with_limit(limit, limit, [] {
      const std::size_t fit = that_fit(reserve_descriptors(5'000).error());
      return fit > 20 && reserve_descriptors(fit).ok() && !reserve_descriptors(fit + 1).ok() &&
             !reserve_descriptors(fit, 1).ok();
    })) << limit;
  }
}

TEST(FanOutDescriptors, AsManyWorkersRunAsFitInto64) {
  const test::Bed bed;
  EXPECT_TRUE(with_limit(64, 64, [&] {
    const std::size_t fit = that_fit(reserve_descriptors(5'000).error());
    test::Recorder recorder;
    SystemClock clock;
    const Interrupt interrupt;
    const std::size_t left = that_fit(reserve_descriptors(5'000).error());
    FanOutOptions options = bed.options();
    options.timeout = std::chrono::seconds(60);
    const auto outcomes = fan_out(
        bed.targets(1, left),
        [&](std::size_t) {
          return ssh::RemoteCommand{.text = "mktemp -p " + bed.folder() + "/marks >/dev/null; while [ $(ls " +
                                            bed.folder() + "/marks | wc -l) -lt " + std::to_string(left) +
                                            " ]; do sleep 0.2; done"};
        },
        options, clock, interrupt, recorder);
    return left + 4 > fit && outcomes.ok() &&
           std::all_of(outcomes->begin(), outcomes->end(),
                       [](const Outcome& one) { return one.kind == OutcomeKind::kOk; });
  }));
}

TEST(ReserveMemory, ThereIsEnoughForAFew) { EXPECT_TRUE(reserve_memory(16)); }

TEST(ReserveMemory, SaysHowManyWorkersFitWhenTheyDoNot) {
  const Result<void> reserved = reserve_memory(1'000'000'000);
  ASSERT_FALSE(reserved);
  EXPECT_EQ(reserved.error().code(), ErrorCode::kLocal);
  EXPECT_GT(that_fit(reserved.error()), 16u);
}

TEST(ReserveDescriptors, ALimitBelowOurOwnNeedsFitsNobody) {
  EXPECT_TRUE(with_limit(10, 10, [] {
    const Result<void> reserved = reserve_descriptors(1);
    return !reserved.ok() && reserved.error().message().find(" 0 workers fit") != std::string::npos;
  }));
}

}  // namespace
}  // namespace slipway::fleet
