// Faults of status, time and state: what a user sees of each, and that nothing is done twice. docs/faults.md
// is the table; the faults of the wire are in wire_faults_test.cpp.
#include <gtest/gtest.h>

#include <chrono>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using Clock = std::chrono::steady_clock;

class ApiFaults : public ::testing::Test {
 protected:
  /// Every request that this selects goes wrong; the words are those of `emulator fault add`.
  void fault(const std::string& words) const {
    const Ended added = user.shell("slipway emulator fault add " + words);
    ASSERT_EQ(added.code, 0) << added.err;
  }
  Ended create(const std::string& id, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"create", id, "--node-id", id + "-n", "--accelerator-type", "v4-8"};
    words.insert(words.end(), more.begin(), more.end());
    return user.slipway(words);
  }
  void expect_says(const Ended& ended, const std::vector<std::string>& parts) const {
    for (const std::string& part : parts)
      EXPECT_NE(ended.err.find(part), std::string::npos) << part << "\n" << ended.err;
  }
  std::string names() const { return user.shell("slipway list --format value | cut -f1").out; }
  std::size_t posts() const { return user.count_requests("POST", "/queuedResources"); }

  const EmulatorUser user;
};

TEST_F(ApiFaults, A400IsNotTriedAgainAndNamesTheField) {
  fault(
      "--method POST --status 400 --body "
      "'{\"error\":{\"code\":400,\"status\":\"INVALID_ARGUMENT\",\"message\":\"bad "
      "request\",\"details\":[{\"@type\":\"type.googleapis.com/"
      "google.rpc.BadRequest\",\"fieldViolations\":[{\"field\":"
      "\"tpu.node_spec\",\"description\":\"is too round\"}]}]}}'");
  const Ended ended = create("q");
  EXPECT_EQ(ended.code, 1);
  expect_says(ended,
              {"slipway: create: ", "'q'", "400 INVALID_ARGUMENT", "why: ", "tpu.node_spec: is too round"});
  EXPECT_EQ(posts(), 1U);
  EXPECT_EQ(names(), "");
}

TEST_F(ApiFaults, A401IsTriedOnceMoreAndThenSaysHowToSignIn) {
  fault("--status 401 --times 0");
  const Ended ended = user.slipway({"list"});
  EXPECT_EQ(ended.code, 4);
  expect_says(ended, {"401", "next: "});
  EXPECT_LE(user.requests().size(), 2U);
}

TEST_F(ApiFaults, A403NamesThePermissionAndIsNotTriedAgain) {
  fault(
      "--status 403 --body "
      "'{\"error\":{\"code\":403,\"status\":\"PERMISSION_DENIED\",\"message\":\"Permission "
      "denied.\",\"details\":[{\"@type\":\"type.googleapis.com/"
      "google.rpc.ErrorInfo\",\"reason\":\"IAM_PERMISSION_DENIED\","
      "\"metadata\":{\"permission\":\"tpu.queuedResources.list\"}}]}}'");
  const Ended ended = user.slipway({"list"});
  EXPECT_EQ(ended.code, 4);
  expect_says(ended, {"403", "tpu.queuedResources.list"});
  EXPECT_EQ(user.requests().size(), 1U);
}

TEST_F(ApiFaults, A403OfADisabledApiSaysHowToEnableIt) {
  fault(
      "--status 403 --body '{\"error\":{\"code\":403,\"status\":\"PERMISSION_DENIED\",\"message\":\"Cloud "
      "TPU API has not "
      "been "
      "used\",\"details\":[{\"@type\":\"type.googleapis.com/"
      "google.rpc.ErrorInfo\",\"reason\":\"SERVICE_DISABLED\"},"
      "{\"@type\":\"type.googleapis.com/google.rpc.Help\",\"links\":[{\"url\":\"https://console.test/"
      "enable\"}]}]}}'");
  const Ended ended = user.slipway({"list"});
  EXPECT_EQ(ended.code, 4);
  expect_says(ended, {"has not been used", "https://console.test/enable",
                      "next: gcloud services enable tpu.googleapis.com"});
}

TEST_F(ApiFaults, A403OfBillingSaysSo) {
  fault(
      "--status 403 --body '{\"error\":{\"code\":403,\"status\":\"PERMISSION_DENIED\",\"message\":\"This API "
      "method "
      "requires billing to be enabled.\"}}'");
  const Ended ended = user.slipway({"list"});
  EXPECT_EQ(ended.code, 4);
  expect_says(ended, {"requires billing"});
}

TEST_F(ApiFaults, A404IsNoSuchResource) {
  EXPECT_EQ(user.slipway({"describe", "q"}).code, 5);
  EXPECT_EQ(user.slipway({"delete", "q", "--yes"}).code, 5);
  EXPECT_EQ(user.slipway({"reset", "q", "--yes"}).code, 5);
  EXPECT_EQ(user.slipway({"delete", "q", "--yes", "--if-exists"}).code, 0);
}

TEST_F(ApiFaults, A404InTheMiddleOfAWaitIsADeletion) {
  ASSERT_EQ(create("q", {"--valid-after-duration", "1h"}).code, 0);
  const auto waiting = user.start({"wait", "q", "--for", "ACTIVE"});
  ASSERT_TRUE(waiting->read_until(
      [](const std::string&, const std::string& err) { return err.find("q") != std::string::npos; }));
  ASSERT_EQ(user.slipway({"delete", "q", "--yes", "--force"}).code, 0);
  const Ended ended = waiting->wait();
  EXPECT_EQ(ended.code, 7);
  expect_says(ended, {"'q'", "delet"});
}

TEST_F(ApiFaults, A409AfterACreateWhoseAnswerWasAnErrorIsOurOwn) {
  fault("--method POST --status 503 --carry-out");
  const Ended ended = create("q");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(posts(), 2U);
  EXPECT_EQ(names(), "q\n");
}

TEST_F(ApiFaults, A409OfAnotherSpecIsAConflictWithTheDifference) {
  ASSERT_EQ(create("q").code, 0);
  const Ended ended = create("q", {"--spot", "--if-not-exists"});
  EXPECT_EQ(ended.code, 6);
  expect_says(ended, {"'q' exists with another spec", "spot"});
  expect_says(create("q", {"--spot"}), {"'q' exists with another spec", "spot"});
  expect_says(create("q"), {"--if-not-exists"});
}

TEST_F(ApiFaults, ADeleteThatIsRunningIsFollowed) {
  user.create_ready("q", 1);
  ASSERT_EQ(user.slipway({"delete", "q", "--yes", "--force", "--async"}).code, 0);
  const Ended ended = user.slipway({"delete", "q", "--yes", "--force", "--if-exists"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(names(), "");
}

TEST_F(ApiFaults, AFailedPreconditionNamesTheStateAndWhatIsLegal) {
  user.create_ready("q", 1);
  const Ended ended = user.slipway({"delete", "q", "--yes"});
  EXPECT_EQ(ended.code, 6);
  expect_says(ended, {"ACTIVE", "next: slipway delete q --force"});
  EXPECT_EQ(names(), "q\n");
}

TEST_F(ApiFaults, ARateLimitIsWaitedForAsLongAsTheServerSays) {
  fault("--method POST --status 429 --retry-after 1");
  const auto began = Clock::now();
  const Ended ended = create("q");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_GE(Clock::now() - began, std::chrono::seconds(1));
  EXPECT_EQ(names(), "q\n");
}

TEST_F(ApiFaults, AQuotaIsNotTriedAgain) {
  fault(
      "--method POST --times 0 --status 429 --body "
      "'{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"message\":"
      "\"Quota "
      "exceeded\",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.QuotaFailure\",\"violations\":[{"
      "\"subject\":\"TPUV4sPerProject\",\"description\":\"limit 0\"}]}]}}'");
  const Ended ended = create("q");
  EXPECT_EQ(ended.code, 9);
  expect_says(ended, {"TPUV4sPerProject: limit 0"});
  EXPECT_EQ(posts(), 1U);
}

class ServerErrors : public ApiFaults, public ::testing::WithParamInterface<int> {};

TEST_P(ServerErrors, AreTriedAgainAndDoNothingTwice) {
  fault("--times 1 --status " + std::to_string(GetParam()));
  EXPECT_EQ(user.slipway({"list"}).code, 0);
  fault("--method POST --carry-out --status " + std::to_string(GetParam()));
  EXPECT_EQ(create("q").code, 0);
  fault("--method DELETE --carry-out --status " + std::to_string(GetParam()));
  const Ended deleted = user.slipway({"delete", "q", "--yes", "--force"});
  EXPECT_EQ(deleted.code, 0) << deleted.err;
  EXPECT_EQ(names(), "");
}
INSTANTIATE_TEST_SUITE_P(Status, ServerErrors, ::testing::Values(500, 502, 503, 504));

TEST_F(ApiFaults, AServerThatAsksForMoreTimeThanThereIsEndsItAtOnceWithAWayToLook) {
  for (const char* when : {"3600", "'Fri, 31 Dec 2060 23:59:59 GMT'"}) {
    fault(std::string("--method POST --status 503 --retry-after ") + when);
    const auto began = Clock::now();
    const Ended ended = create("q");
    EXPECT_LT(Clock::now() - began, std::chrono::seconds(30));
    if (std::string(when) == "3600") {
      EXPECT_EQ(ended.code, 8) << ended.err;
      expect_says(ended, {"'q'", "503 UNAVAILABLE", "next: slipway describe q"});
    }
  }
}

TEST_F(ApiFaults, ARetryAfterThatMakesNoSenseIsIgnored) {
  for (const char* when : {"-5", "soon", "''"}) {
    fault(std::string("--status 503 --header 'Retry-After: ") + when + "'");
    const Ended ended = user.slipway({"list"});
    EXPECT_EQ(ended.code, 0) << when << ended.err;
  }
}

TEST_F(ApiFaults, ALostAnswerToACreateMakesOneResource) {
  fault("--method POST --lost-answer");
  const Ended ended = create("q");
  EXPECT_EQ(ended.code, 0) << ended.err;
  std::vector<std::string> ids;
  for (const Json& request : user.requests()) {
    if (const std::string id = string_member(request, "requestId"); !id.empty()) ids.push_back(id);
  }
  ASSERT_EQ(ids.size(), 2U);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(names(), "q\n");
}

TEST_F(ApiFaults, ALostAnswerToADeleteIsADelete) {
  ASSERT_EQ(create("q").code, 0);
  fault("--method DELETE --lost-answer");
  const Ended ended = user.slipway({"delete", "q", "--yes", "--force"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(names(), "");
}

TEST_F(ApiFaults, ALostAnswerToAResetIsNotRepeated) {
  user.create_ready("q", 1);
  fault("--method POST --path :reset --lost-answer");
  const Ended ended = user.slipway({"reset", "q", "--yes"});
  EXPECT_EQ(ended.code, 8);
  expect_says(ended, {"'q'", "why: ", "next: slipway workers q"});
  EXPECT_EQ(user.count_requests("POST", ":reset"), 1U);
}

TEST_F(ApiFaults, TwoProcessesThatEnsureTheSameNameMakeOneResource) {
  const std::vector<std::string> words{"create",         "q", "--node-id", "n", "--accelerator-type", "v4-8",
                                       "--if-not-exists"};
  const SlipwayUser other_home;  // another person: their intents are not shared
  Program::Environment theirs = user.environment;
  theirs["HOME"] = other_home.home().path();
  std::vector<std::string> program{SLIPWAY_PROGRAM};
  program.insert(program.end(), words.begin(), words.end());
  const auto first = user.start(words);
  Program second(program, theirs);
  const Ended one = first->wait();
  const Ended two = second.wait();
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(names(), "q\n");
}

/// A code of google.rpc, and the exit code that it comes to.
class OperationErrors : public ApiFaults, public ::testing::WithParamInterface<std::pair<int, int>> {};

TEST_P(OperationErrors, EndTheCommandByTheirCode) {
  const auto [code, exit] = GetParam();
  fault(
      "--path '*/operations/*' --times 0 --status 200 --body "
      "'{\"name\":\"projects/p/locations/z/operations/o\",\"done\":"
      "true,\"error\":{\"code\":" +
      std::to_string(code) + ",\"message\":\"it is as it is\"}}'");
  const Ended ended = create("q");
  EXPECT_EQ(ended.code, exit) << ended.err;
  expect_says(ended, {"'q'", "it is as it is"});
}
INSTANTIATE_TEST_SUITE_P(Codes, OperationErrors,
                         ::testing::Values(std::pair(3, 1), std::pair(5, 5), std::pair(7, 4), std::pair(8, 9),
                                           std::pair(9, 6), std::pair(10, 6), std::pair(13, 1),
                                           std::pair(14, 8), std::pair(16, 4), std::pair(99, 1)),
                         [](const auto& tested) { return "Code" + std::to_string(tested.param.first); });

TEST_F(ApiFaults, AnOperationThatIsNeverDoneEndsWithTheTimeoutAndItsName) {
  fault(
      "--path '*/operations/*' --times 0 --status 200 --body "
      "'{\"name\":\"projects/p/locations/z/operations/o-7\",\"done\":"
      "false}'");
  const Ended ended = create("q", {"--timeout", "1s"});
  EXPECT_EQ(ended.code, 124) << ended.err;
  expect_says(ended, {"o-7", "next: slipway describe q"});
}

TEST_F(ApiFaults, AnOperationThatTheApiForgotIsLookedForInItsResource) {
  fault("--path '*/operations/*' --times 0 --status 404");
  const Ended ended = create("q");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(names(), "q\n");
  EXPECT_EQ(user.slipway({"delete", "q", "--yes", "--force"}).code, 0);
}

TEST_F(ApiFaults, AnAnswerWithoutAnOperationIsLookedForInItsResource) {
  fault("--method POST --carry-out --status 200 --body '{}'");
  const Ended ended = create("q");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(names(), "q\n");
}

TEST_F(ApiFaults, AFailedRequestWithSlicesThatRunIsSaidToBeOneAndRunsNothing) {
  user.create_ready("q", 2);
  ASSERT_EQ(user.shell("slipway emulator fail q --node 1 --code 8 --message 'no more capacity'").code, 0);
  const Ended waited = user.slipway({"wait", "q", "--for", "READY", "--timeout", "10s"});
  EXPECT_EQ(waited.code, 7);
  expect_says(waited, {"FAILED", "no more capacity", "next: slipway delete q --force"});
  const Ended ran = user.slipway({"run", "q", "--command", "true"});
  EXPECT_EQ(ran.code, 6) << ran.err;
  EXPECT_EQ(user.slipway({"delete", "q", "--yes", "--force"}).code, 0);
}

class Suspensions : public ApiFaults, public ::testing::WithParamInterface<std::string> {};

TEST_P(Suspensions, EndAWaitWithWhoDidIt) {
  ASSERT_EQ(create("q", {"--wait"}).code, 0);
  ASSERT_EQ(user.shell("slipway emulator suspend q --initiator " + GetParam()).code, 0);
  const Ended waited = user.slipway({"wait", "q", "--for", "ACTIVE", "--timeout", "10s"});
  EXPECT_EQ(waited.code, 7);
  expect_says(waited, {"SUSPEND", to_lower(GetParam())});
}
INSTANTIATE_TEST_SUITE_P(Initiators, Suspensions, ::testing::Values("USER", "SERVICE"));

TEST_F(ApiFaults, AZoneThatIsNotReachedIsSaidAndTheOthersAreListed) {
  const EmulatorUser zones({"--provision-delay", "50ms", "--unreachable", "far-1"});
  const Ended listed = zones.slipway({"list", "--zone=-"});
  EXPECT_EQ(listed.code, 0);
  EXPECT_NE(listed.err.find("far-1"), std::string::npos) << listed.err;
}

}  // namespace
}  // namespace slipway::test
