// Whole fan-outs through a network that fails at every byte of a session, in both directions.
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <random>

#include "slipway/fleet/fan_out.h"
#include "support/relay.h"
#include "unit/fleet/bed.h"
#include "unit/fleet/recorder.h"

namespace slipway::fleet {
namespace {

using namespace std::chrono_literals;
using test::Relay;
using Fault = Relay::Fault;
using Direction = Relay::Direction;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A whole session is shorter than this in each direction; measured at 2,900 and 9,300 bytes.
constexpr std::size_t kWholeToClient = 4'000;
constexpr std::size_t kWholeToServer = 11'000;
constexpr std::size_t kAtATime = 100;

std::size_t open_descriptors() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), ::closedir);
  std::size_t count = 0;
  while (::readdir(folder.get()) != nullptr) ++count;
  return count;
}

class BadNetwork : public ::testing::Test {
 protected:
  BadNetwork() {
    options_ = bed_.options();
    options_.require = Requirement::parse("any").value();
    options_.limits.connect = 400ms;
    options_.limits.handshake = 6s;
    options_.limits.auth = 6s;
    options_.limits.exec = 6s;
    options_.limits.close = 1s;
    options_.limits.silence = 6s;
  }

  struct Ended {
    std::vector<Outcome> outcomes;
    test::Recorder recorder;
  };
  /// A worker behind each plan, all in one run. The last target has a plan that is left out: it is good, so
  /// that there is a gang to release.
  Ended run_behind(std::vector<Relay::Plan> plans) {
    plans.emplace_back();
    const auto server = bed_.targets(1, 1)[0];
    auto targets = bed_.targets(1, plans.size());
    const Relay relay(server.address, server.port, std::move(plans));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      targets[i].address = Relay::address();
      targets[i].port = relay.port(i);
    }
    Ended ended;
    SystemClock clock;
    auto outcomes = fan_out(
        targets, [](std::size_t) { return ssh::RemoteCommand{.text = "echo hi; exit 3"}; }, options_, clock,
        interrupt_, ended.recorder);
    EXPECT_TRUE(outcomes);
    if (outcomes) ended.outcomes = *outcomes;
    return ended;
  }

  /// What may have happened to a worker whose connection broke at some byte: before its exec request it is
  /// unreachable; after that, lost, unless all of its output and its end came through.
  static void expect_honest(const Ended& ended, std::size_t i) {
    const Outcome& outcome = ended.outcomes[i];
    const bool begun = outcome.phase == ssh::Phase::kExec || outcome.phase == ssh::Phase::kRun;
    if (outcome.kind == OutcomeKind::kExit) {
      const auto out = ended.recorder.out.find(i);
      EXPECT_EQ(outcome.exit_code, 3);
      EXPECT_TRUE(out != ended.recorder.out.end() && out->second == "hi\n");
      return;
    }
    EXPECT_EQ(outcome.kind, begun ? OutcomeKind::kLost : OutcomeKind::kUnreachable)
        << to_string(outcome.kind) << " in " << ssh::to_string(outcome.phase) << ": " << outcome.error;
    EXPECT_FALSE(outcome.error.empty());
  }

  /// One fault at every `step`th byte of a session.
  void walk(Fault fault, Direction direction, std::size_t whole) {
    const std::size_t step = std::getenv("SLIPWAY_EVERY_BYTE") != nullptr ? 1 : 37;
    const std::size_t descriptors = open_descriptors();
    std::map<OutcomeKind, int> kinds;
    for (std::size_t from = 0; from < whole; from += step * kAtATime) {
      std::vector<Relay::Plan> plans;
      for (std::size_t at = from; at < std::min(whole, from + step * kAtATime); at += step)
        plans.push_back({fault, direction, at, ""});
      const Ended ended = run_behind(plans);
      ASSERT_EQ(ended.outcomes.size(), plans.size() + 1);
      EXPECT_EQ(ended.outcomes.back().kind, OutcomeKind::kExit)
          << "the good one: " << ended.outcomes.back().error;
      for (std::size_t i = 0; i < plans.size(); ++i) {
        SCOPED_TRACE("at byte " + std::to_string(plans[i].after));
        expect_honest(ended, i);
        ++kinds[ended.outcomes[i].kind];
      }
    }
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_GT(kinds[OutcomeKind::kUnreachable], 0);
    EXPECT_GT(kinds[OutcomeKind::kLost], 0);
    EXPECT_GT(kinds[OutcomeKind::kExit], 0) << "the walk ends before the session does";
  }

  test::Bed bed_;
  FanOutOptions options_;
  Interrupt interrupt_;
};

TEST_F(BadNetwork, ACutAtAnyByteFromTheWorkerEndsHonestly) {
  walk(Fault::kCut, Direction::kToClient, kWholeToClient);
}
TEST_F(BadNetwork, AResetAtAnyByteFromTheWorkerEndsHonestly) {
  walk(Fault::kReset, Direction::kToClient, kWholeToClient);
}
TEST_F(BadNetwork, AStallAtAnyByteFromTheWorkerEndsHonestlyWithinItsDeadline) {
  walk(Fault::kStall, Direction::kToClient, kWholeToClient);
}
TEST_F(BadNetwork, ACutAtAnyByteToTheWorkerEndsHonestly) {
  walk(Fault::kCut, Direction::kToServer, kWholeToServer);
}
TEST_F(BadNetwork, AResetAtAnyByteToTheWorkerEndsHonestly) {
  walk(Fault::kReset, Direction::kToServer, kWholeToServer);
}
TEST_F(BadNetwork, AStallAtAnyByteToTheWorkerEndsHonestlyWithinItsDeadline) {
  walk(Fault::kStall, Direction::kToServer, kWholeToServer);
}

TEST_F(BadNetwork, BytesThatDripArriveAllTheSame) {
  options_.limits = ssh::PhaseLimits();
  std::vector<Relay::Plan> plans;
  for (const std::size_t at : {0u, 30u, 700u, 1'900u})
    plans.push_back({Fault::kDrip, Direction::kToClient, at, ""});
  const Ended ended = run_behind(plans);
  for (std::size_t i = 0; i < ended.outcomes.size(); ++i) {
    EXPECT_EQ(ended.outcomes[i].kind, OutcomeKind::kExit) << ended.outcomes[i].error;
    expect_honest(ended, i);
  }
}

TEST_F(BadNetwork, LinesBeforeTheVersionAreNoProblem) {
  const Ended ended =
      run_behind({{Fault::kNone, Direction::kToClient, 0, "Welcome to the gateway\r\nno questions\r\n"}});
  EXPECT_EQ(ended.outcomes[0].kind, OutcomeKind::kExit) << ended.outcomes[0].error;
}

TEST_F(BadNetwork, WhatIsNoSshServerIsSaidToBeNone) {
  const std::string page = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n<html>no</html>";
  const Ended ended = run_behind({{Fault::kCut, Direction::kToClient, page.size(), page},
                                  {Fault::kCut, Direction::kToClient, 8, "SSH-1.5-old\r\n"},
                                  {Fault::kCut, Direction::kToClient, 26, "Not allowed at this time\r\n"}});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(ended.outcomes[i].kind, OutcomeKind::kUnreachable);
  EXPECT_THAT(ended.outcomes[2].error,
              AllOf(HasSubstr("takes no more connections for now"), HasSubstr("Not allowed at this time")));
}

TEST_F(BadNetwork, ARandomThirdOf64FailsSomehowAndTheOthersFinish) {
  const unsigned seed = std::random_device()();
  RecordProperty("seed", std::to_string(seed));
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<Relay::Plan> plans(64);
  for (Relay::Plan& plan : plans) {
    if (random() % 3 != 0) continue;
    constexpr Fault kFaults[] = {Fault::kCut, Fault::kReset, Fault::kStall};
    const bool to_client = random() % 2 == 0;
    plan.fault = kFaults[random() % 3];
    plan.counted = to_client ? Direction::kToClient : Direction::kToServer;
    plan.after = random() % (to_client ? kWholeToClient : kWholeToServer);
  }
  const Ended ended = run_behind(plans);
  ASSERT_EQ(ended.outcomes.size(), 65u);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    SCOPED_TRACE("worker " + std::to_string(i));
    expect_honest(ended, i);
    if (plans[i].fault == Fault::kNone) {
      EXPECT_EQ(ended.outcomes[i].kind, OutcomeKind::kExit);
    }
  }
}

}  // namespace
}  // namespace slipway::fleet
