#include "slipway/tpu/wait.h"

#include <gtest/gtest.h>

#include <deque>

#include "slipway/core/format.h"
#include "support/fake_transport.h"
#include "slipway/http/attempts.h"

namespace slipway::tpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using test::answer;
using test::FakeClock;
using test::FakeTransport;
using test::lost;
using State = QueuedResourceState;

class NoToken final : public TokenSource {
 public:
  Result<Secret> token() override { return Secret("ya29.test"); }
  bool refresh() override { return false; }
  std::string description() const override { return "test"; }
};

const QueuedResourceName kName{{"p", "z"}, "q"};

http::Answer seen(const std::string& state, const std::string& create_time = "2026-11-20T08:00:00Z",
                  const std::string& more = "") {
  return answer(200, fmt::format(R"({{"name":"projects/p/locations/z/queuedResources/q","createTime":"{}",
    "tpu":{{"nodeSpec":[{{"nodeId":"s-0"}},{{"nodeId":"s-1"}}]}},"state":{{"state":"{}"{}}}}})",
                                 create_time, state, more));
}
const http::Answer kGone = answer(404, R"({"error":{"code":404,"status":"NOT_FOUND","message":"gone"}})");

Operation begun() {
  Operation operation;
  operation.name = "projects/p/locations/z/operations/o";
  operation.target = kName.path();
  return operation;
}

class WaitTest : public ::testing::Test {
 protected:
  /// Looks meet `answers` one after the other; the last one stays.
  Result<Sight> wait(std::vector<http::Answer> answers, const WaitOptions& options) {
    transport_ = FakeTransport(std::move(answers));
    return wait_now(options);
  }
  Result<Sight> wait_now(const WaitOptions& options) {
    Client client(transport_, clock_, tokens_, {.call_deadline = seconds(10)}, half_);
    return wait_for(
        client, kName, options, [this](const Sight& sight) { sights_.push_back(sight); }, half_);
  }
  Result<Operation> wait_operation(std::vector<http::Answer> answers, Operation operation,
                                   std::optional<milliseconds> timeout = {}) {
    transport_ = FakeTransport(std::move(answers));
    Client client(transport_, clock_, tokens_, {.call_deadline = seconds(10)}, half_);
    return wait_for_operation(client, std::move(operation), timeout, {}, half_);
  }
  static WaitOptions until(std::set<State> states, std::optional<milliseconds> timeout = {}) {
    WaitOptions options;
    options.states = std::move(states);
    options.timeout = timeout;
    return options;
  }
  static WaitOptions goal(Goal goal, std::optional<milliseconds> timeout = {}) {
    WaitOptions options;
    options.goal = goal;
    options.timeout = timeout;
    return options;
  }

  RandomUnit half_ = [] { return 0.5; };
  FakeClock clock_;
  NoToken tokens_;
  FakeTransport transport_;
  std::vector<Sight> sights_;
};

TEST_F(WaitTest, EndsWhenTheStateIsReachedAndShowsEveryLook) {
  const auto sight =
      wait({seen("ACCEPTED"), seen("WAITING_FOR_RESOURCES"), seen("PROVISIONING"), seen("ACTIVE")},
           until({State::kActive}));
  ASSERT_TRUE(sight.ok());
  EXPECT_EQ(sight->resource->state, State::kActive);
  ASSERT_EQ(sights_.size(), 4u);
  EXPECT_GT(sights_[3].elapsed, sights_[2].elapsed);
}

TEST_F(WaitTest, LooksLessAndLessOften) {
  const PollPolicy policy;
  EXPECT_EQ(policy.delay(0, half_), milliseconds(500));
  EXPECT_EQ(policy.delay(1, half_), milliseconds(700));
  EXPECT_EQ(policy.delay(1'000'000, half_), seconds(30));
  EXPECT_EQ(policy.delay(0, [] { return 0.0; }), milliseconds(375));
}

TEST_F(WaitTest, FailsAtOnceWithTheApisReasonWhenTheGoalCanNoLongerCome) {
  const auto sight = wait({seen("WAITING_FOR_RESOURCES"),
                           seen("FAILED", "2026-11-20T08:00:00Z",
                                R"(,"failedData":{"error":{"code":8,"message":"no more capacity"}})")},
                          until({State::kActive}));
  ASSERT_FALSE(sight.ok());
  EXPECT_EQ(sight.error().code(), ErrorCode::kImpossible);
  EXPECT_EQ(sight.error().message(), "'q' is FAILED: it cannot become ACTIVE");
  EXPECT_EQ(sight.error().why(), "RESOURCE_EXHAUSTED: no more capacity");
  EXPECT_EQ(sight.error().next(), "slipway delete q --force   (or: slipway create q --recreate ...)");
}

TEST_F(WaitTest, KnowsFromWhichStatesWhichOthersCanCome) {
  for (const char* state : {"FAILED", "SUSPENDING", "SUSPENDED", "DELETING"}) {
    EXPECT_EQ(wait({seen(state)}, until({State::kActive})).error().code(), ErrorCode::kImpossible) << state;
    EXPECT_EQ(wait({seen(state)}, goal(Goal::kReady)).error().code(), ErrorCode::kImpossible) << state;
  }
  EXPECT_TRUE(wait({seen("SUSPENDING"), seen("SUSPENDED")}, until({State::kSuspended})).ok());
  EXPECT_TRUE(wait({seen("SUSPENDING")}, until({State::kSuspending})).ok());
  EXPECT_EQ(wait({seen("ACTIVE")}, until({State::kAccepted})).error().code(), ErrorCode::kImpossible);
  for (const State earlier : {State::kCreating, State::kWaitingForResources, State::kProvisioning})
    EXPECT_EQ(wait({seen("ACTIVE")}, until({earlier})).error().code(), ErrorCode::kImpossible);
  EXPECT_TRUE(wait({seen("ACTIVE"), seen("SUSPENDED")}, until({State::kSuspended})).ok());
  EXPECT_TRUE(wait({seen("FAILED")}, until({State::kActive, State::kFailed})).ok());
}

TEST_F(WaitTest, SaysWhoSuspended) {
  const auto sight = wait({seen("SUSPENDED", "2026-11-20T08:00:00Z", R"(,"stateInitiator":"SERVICE")")},
                          until({State::kActive}));
  EXPECT_EQ(sight.error().why(), "by the service");
}

TEST_F(WaitTest, AnUnknownStateIsNoEnd) {
  EXPECT_TRUE(wait({seen("HIBERNATING"), seen("ACTIVE")}, until({State::kActive})).ok());
}

TEST_F(WaitTest, WhatIsNotThereAtTheFirstLookIsNotFound) {
  EXPECT_EQ(wait({kGone}, until({State::kActive})).error().code(), ErrorCode::kNotFound);
}

TEST_F(WaitTest, WhatVanishesInTheMiddleCanNoLongerCome) {
  const auto sight = wait({seen("PROVISIONING"), kGone}, until({State::kActive}));
  EXPECT_EQ(sight.error().code(), ErrorCode::kImpossible);
  EXPECT_EQ(sight.error().why(), "it was PROVISIONING when it was last seen");
}

TEST_F(WaitTest, DeletedIsReachedWhenItIsGone) {
  const auto sight = wait({seen("DELETING"), seen("DELETING"), kGone}, goal(Goal::kDeleted));
  ASSERT_TRUE(sight.ok());
  EXPECT_FALSE(sight->resource.has_value());
  EXPECT_TRUE(wait({kGone}, goal(Goal::kDeleted)).ok());
}

TEST_F(WaitTest, AReplacementUnderTheSameNameIsNoticed) {
  const auto deleted =
      wait({seen("DELETING"), seen("ACCEPTED", "2026-11-20T09:00:00Z")}, goal(Goal::kDeleted));
  ASSERT_TRUE(deleted.ok());
  EXPECT_TRUE(deleted->recreated);
  const auto active =
      wait({seen("PROVISIONING"), seen("ACTIVE", "2026-11-20T09:00:00Z")}, until({State::kActive}));
  ASSERT_FALSE(active.ok()) << "the one that was waited for was deleted";
  EXPECT_EQ(active.error().code(), ErrorCode::kImpossible);
  EXPECT_EQ(active.error().why(), "another 'q' was made at 2026-11-20T09:00:00Z");
}

TEST_F(WaitTest, TheOneThatIsMeantMayBeSaidByItsTimeOfCreation) {
  FakeTransport transport({seen("ACTIVE", "2026-11-20T09:00:00Z")});
  Client client(transport, clock_, tokens_, {}, half_);
  const Awaited older{kName, "2026-11-20T08:00:00Z"};
  EXPECT_EQ(wait_for(client, older, until({State::kActive}), nullptr, half_).error().code(),
            ErrorCode::kImpossible);
  EXPECT_TRUE(wait_for(client, older, goal(Goal::kDeleted), nullptr, half_).ok()) << "it is gone";
}

TEST_F(WaitTest, SeveralAreWaitedForTogetherAndTheFirstFailureEndsIt) {
  FakeTransport transport;
  std::map<std::string, int> looks;
  transport.respond = [&](const http::Request& request) {
    const std::string id = request.url.substr(request.url.rfind('/') + 1);
    const int look = ++looks[id];
    return seen(look < (id == "a" ? 2 : 3) ? "PROVISIONING" : id == "c" ? "FAILED" : "ACTIVE");
  };
  Client client(transport, clock_, tokens_, {}, half_);
  const QueuedResourceName a{kName.location, "a"}, b{kName.location, "b"}, c{kName.location, "c"};
  std::vector<std::string> shown;
  const auto note = [&](std::size_t index, const Sight& sight) {
    shown.push_back(std::to_string(index) + sight.resource->state_text);
  };
  const auto both = wait_for_all(client, {{a, ""}, {b, ""}}, until({State::kActive}), note, half_);
  ASSERT_TRUE(both.ok()) << both.error().message();
  EXPECT_EQ(looks["a"], 2) << "what has come is not asked for again";
  EXPECT_EQ(shown, (std::vector<std::string>{"0PROVISIONING", "1PROVISIONING", "0ACTIVE", "1PROVISIONING",
                                             "1ACTIVE"}));

  looks.clear();
  const auto failed = wait_for_all(client, {{a, ""}, {c, ""}, {b, ""}}, until({State::kActive}), note, half_);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), ErrorCode::kImpossible);
  EXPECT_NE(failed.error().message().find("'c' is FAILED"), std::string::npos);
}

TEST_F(WaitTest, ReadyOfBeforeAResetDoesNotCount) {
  FakeTransport transport;
  std::vector<std::string> states{"READY", "READY", "RESTARTING", "READY"};
  std::size_t look = 0;
  transport.respond = [&](const http::Request& request) {
    if (request.url.find("/nodes/") == std::string::npos)
      return answer(200, R"({"name":"projects/p/locations/z/queuedResources/q","state":{"state":"ACTIVE"},
          "tpu":{"nodeSpec":[{"nodeId":"n"}]}})");
    const std::string state = states[std::min(look++, states.size() - 1)];
    return answer(200, R"({"name":"projects/p/locations/z/nodes/n","state":")" + state + "\"}");
  };
  Client client(transport, clock_, tokens_, {}, half_);
  WaitOptions options = goal(Goal::kReady);
  options.leave_ready_within = milliseconds(60'000);
  ASSERT_TRUE(wait_for(client, kName, options, nullptr, half_).ok());
  EXPECT_EQ(look, 4u);

  states = {"READY"};
  look = 0;
  const auto began = clock_.now();
  ASSERT_TRUE(wait_for(client, kName, options, nullptr, half_).ok());
  EXPECT_GE(clock_.now() - began, std::chrono::seconds(60))
      << "a restart that nobody saw is believed at last";
}

TEST_F(WaitTest, ATimeoutOfZeroLooksOnce) {
  const auto sight = wait({seen("ACCEPTED"), seen("ACTIVE")}, until({State::kActive}, milliseconds(0)));
  EXPECT_EQ(sight.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(transport_.requests.size(), 1u);
  EXPECT_TRUE(wait({seen("ACTIVE")}, until({State::kActive}, milliseconds(0))).ok());
}

TEST_F(WaitTest, ATimeoutIsKeptAndSaysHowToGoOn) {
  const auto began = clock_.now();
  const auto sight = wait({seen("WAITING_FOR_RESOURCES")}, until({State::kActive}, minutes(10)));
  EXPECT_EQ(sight.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(sight.error().message(), "'q' is WAITING_FOR_RESOURCES after 10m00s, not yet ACTIVE");
  EXPECT_EQ(sight.error().next(), "slipway wait q --for ACTIVE");
  EXPECT_EQ(clock_.now() - began, minutes(10));
}

TEST_F(WaitTest, AnInterruptEndsItAndSaysWhatGoesOnAndHowToComeBack) {
  clock_.sleeps_left = 2;
  const auto sight = wait({seen("ACCEPTED")}, until({State::kActive}));
  EXPECT_EQ(sight.error().code(), ErrorCode::kInterrupted);
  EXPECT_NE(sight.error().why().find("goes on"), std::string::npos);
  EXPECT_EQ(sight.error().next(), "slipway wait q --for ACTIVE");
  clock_.sleeps_left = 1;
  const auto operation = wait_operation({lost()}, begun());
  EXPECT_EQ(operation.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(operation.error().next(), "slipway describe q");
}

TEST_F(WaitTest, AShortOutageIsBorneAndALongOneIsNot) {
  std::vector<http::Answer> answers{seen("ACCEPTED")};
  for (int i = 0; i < 30; ++i) answers.push_back(lost());
  answers.push_back(seen("ACTIVE"));
  EXPECT_TRUE(wait(answers, until({State::kActive})).ok());
  answers.back() = lost();
  const auto began = clock_.now();
  EXPECT_EQ(wait(answers, until({State::kActive})).error().code(), ErrorCode::kUnavailable);
  EXPECT_GE(clock_.now() - began, minutes(15));
  EXPECT_EQ(wait({lost()}, until({State::kActive})).error().code(), ErrorCode::kUnavailable);
}

TEST_F(WaitTest, ReadyMeansThatEveryNodeIs) {
  int looks = 0;
  transport_.respond = [&](const http::Request& request) {
    if (request.url.find("/nodes/") == std::string::npos)
      return ++looks == 1 ? seen("PROVISIONING") : seen("ACTIVE");
    const bool second = request.url.back() == '1';
    if (second && looks == 2) return kGone;
    const std::string id = second ? "s-1" : "s-0";
    return answer(200, fmt::format(R"({{"name":"projects/p/locations/z/nodes/{}","state":"{}"}})", id,
                                   second && looks < 4 ? "CREATING" : "READY"));
  };
  const auto sight = wait_now(goal(Goal::kReady));
  ASSERT_TRUE(sight.ok()) << sight.error().message();
  ASSERT_EQ(sights_.size(), 4u);
  EXPECT_EQ(sights_[0].nodes_ready, 0u);
  EXPECT_EQ(sights_[1].nodes_ready, 1u);
  EXPECT_EQ(sights_[3].nodes_ready, 2u);
  EXPECT_EQ(sights_[3].nodes_total, 2u);
}

TEST_F(WaitTest, ARefusalToShowTheNodesEndsIt) {
  transport_.respond = [&](const http::Request& request) {
    return request.url.find("/nodes/") == std::string::npos ? seen("ACTIVE") : answer(403, "{}");
  };
  EXPECT_EQ(wait_now(goal(Goal::kReady)).error().code(), ErrorCode::kDenied);
}

http::Answer operation(bool done, const std::string& more = "") {
  return answer(
      200,
      fmt::format(
          R"({{"name":"projects/p/locations/z/operations/o","done":{},"metadata":{{"verb":"create","target":"projects/p/locations/z/queuedResources/q"}}{}}})",
          done, more));
}

TEST_F(WaitTest, AnOperationIsPolledUntilItIsDone) {
  const auto done = wait_operation({operation(false), operation(false), operation(true)}, begun());
  ASSERT_TRUE(done.ok());
  EXPECT_TRUE(done->done);
  EXPECT_EQ(transport_.requests.size(), 3u);
  EXPECT_EQ(transport_.requests[0].url, "https://tpu.googleapis.com/v2/projects/p/locations/z/operations/o");
}

TEST_F(WaitTest, AnOperationThatIsDoneIsNotAskedFor) {
  Operation done = begun();
  done.done = true;
  EXPECT_TRUE(wait_operation({lost()}, done).ok());
  EXPECT_TRUE(transport_.requests.empty());
}

TEST_F(WaitTest, AnOperationsErrorIsOurs) {
  const std::pair<int, ErrorCode> codes[] = {
      {3, ErrorCode::kFailed},  {5, ErrorCode::kNotFound},     {6, ErrorCode::kConflict},
      {7, ErrorCode::kDenied},  {8, ErrorCode::kQuota},        {9, ErrorCode::kConflict},
      {13, ErrorCode::kFailed}, {14, ErrorCode::kUnavailable}, {99, ErrorCode::kFailed}};
  for (const auto& [number, code] : codes) {
    const auto done = wait_operation(
        {operation(true, fmt::format(R"(,"error":{{"code":{},"message":"because"}})", number))}, begun());
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code(), code) << number;
    EXPECT_EQ(done.error().message(), "create of 'q' failed");
    EXPECT_NE(done.error().why().find("because"), std::string::npos);
  }
}

TEST_F(WaitTest, AnOperationThatTheApiForgotCountsAsDone) {
  const auto done = wait_operation({operation(false), kGone}, begun());
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->target, kName.path());
}

TEST_F(WaitTest, AnOperationWithoutANameIsLeftToALookAtItsTarget) {
  Operation nameless;
  nameless.target = kName.path();
  EXPECT_TRUE(wait_operation({lost()}, nameless).ok());
  EXPECT_TRUE(transport_.requests.empty());
}

TEST_F(WaitTest, AnOperationsTimeoutIsKept) {
  const auto done = wait_operation({operation(false)}, begun(), minutes(1));
  EXPECT_EQ(done.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(done.error().next(), "slipway describe q");
}

}  // namespace
}  // namespace slipway::tpu
