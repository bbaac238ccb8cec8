// emulator fault: requests go wrong as somebody asked, and a client that is not ours sees it.
#include <gtest/gtest.h>

#include <csignal>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"

namespace slipway::test {
namespace {

class EmulatorFault : public ::testing::Test {
 protected:
  /// curl of a list; prints status and body.
  Ended ask(const std::string& more = "") const {
    return user.shell(
        "curl -s -w '\\n%{http_code}\\n' -m 20 " + more +
        " -H \"Authorization: Bearer $(cat $CLOUDSDK_AUTH_ACCESS_TOKEN_FILE)\" "
        "${CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU}v2/projects/emulator-project/locations/us-central2-b/nodes");
  }
  std::string add(const std::string& words) const {
    const Ended added = user.shell("slipway emulator fault add " + words);
    EXPECT_EQ(added.code, 0) << added.err;
    return added.out;
  }
  const EmulatorUser user;
};

TEST_F(EmulatorFault, AStatusIsAnsweredOnceAndThenAllIsWell) {
  EXPECT_EQ(add("--status 503 --retry-after 7"), "f1\n");
  const Ended first = ask("-i");
  EXPECT_NE(first.out.find("\"status\": \"UNAVAILABLE\""), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("Retry-After: 7"), std::string::npos) << first.out;
  EXPECT_EQ(ask().out, "{}\n\n200\n");
}

TEST_F(EmulatorFault, ABodyAndItsContentTypeAreAsGiven) {
  add("--path nodes --status 200 --body '<html>hello' --header 'Content-Type: text/html'");
  const Ended first = ask("-i");
  EXPECT_NE(first.out.find("Content-Type: text/html"), std::string::npos) << first.out;
  EXPECT_EQ(first.out.find("application/json"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("<html>hello\n200\n"), std::string::npos) << first.out;
}

TEST_F(EmulatorFault, ALostAnswerEndsTheConnectionAfterTheActionOrBefore) {
  add("--lost-answer");
  EXPECT_EQ(ask().code, 52) << "curl: empty reply";
  add("--lost-answer --before");
  EXPECT_EQ(ask().code, 52);
  EXPECT_EQ(ask().code, 0);
  const std::vector<Json> requests = user.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0]["fault"], "f1");
  EXPECT_EQ(requests[0]["lost"], true);
  EXPECT_EQ(requests[0]["status"], 200) << "it was carried out";
  EXPECT_EQ(requests[1]["lost"], true);
  EXPECT_FALSE(requests[1].contains("status")) << "nothing was done";
  EXPECT_FALSE(requests[2].contains("fault"));
}

TEST_F(EmulatorFault, ADelayedAnswerIsTheRealOne) {
  add("--delay 300ms");
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(ask().out, "{}\n\n200\n");
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(300));
}

TEST_F(EmulatorFault, ListShowsWhatWasAddedAndClearTakesItBack) {
  add("--method get --path '*/nodes' --status 500 --times 0");
  add("--lost-answer --before --skip 2 --delay 1s");
  ask();
  EXPECT_EQ(user.slipway({"emulator", "fault", "list", "--format", "value"}).out,
            "f1\tGET\t*/nodes\t0\talways\t1\t500\n"
            "f2\t\t\t2\t1\t0\tcut before the action, late by 1.0s\n");
  const Result<Json> listed = parse_json(user.slipway({"emulator", "fault", "list", "--format", "json"}).out);
  ASSERT_TRUE(listed.ok());
  EXPECT_EQ((*listed)[1]["lostAnswer"], "before");
  EXPECT_EQ(user.slipway({"emulator", "fault", "clear", "f1"}).code, 0);
  EXPECT_EQ(user.slipway({"emulator", "fault", "clear", "f1"}).code, 5);
  EXPECT_EQ(user.slipway({"emulator", "fault", "clear"}).code, 0);
  const Ended none = user.slipway({"emulator", "fault", "list"});
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(none.code, 0);
}

TEST_F(EmulatorFault, OnesThatMeanNothingAreUsageErrors) {
  for (const char* words :
       {"", "--status 99", "--status 503 --method FOO", "--status 503 --lost-answer", "--before", "--body x",
        "--status 503 --header nonsense", "--delay 5x", "--times -1", "--status 503 --body @/no/such/file"}) {
    const Ended refused = user.shell(std::string("slipway emulator fault add ") + words);
    EXPECT_TRUE(refused.code == 2 || refused.code == 10) << words << "\n" << refused.err;
    EXPECT_NE(refused.err.find("slipway: emulator fault add: "), std::string::npos) << refused.err;
  }
  EXPECT_TRUE(user.slipway({"emulator", "fault", "list"}).out.empty());
}

TEST_F(EmulatorFault, WithoutAnEmulatorItSaysHowToStartOne) {
  const SlipwayUser alone;
  const Ended ended = alone.slipway({"emulator", "fault", "list"});
  EXPECT_EQ(ended.code, 5) << ended.err;
  EXPECT_NE(ended.err.find("slipway emulator start --detach"), std::string::npos) << ended.err;
}

TEST_F(EmulatorFault, AnEmulatorStopsAtOnceAlthoughAnAnswerIsDelayed) {
  add("--delay 1h");
  const auto asking = user.start({"list"});
  const auto is_met = [&] {
    return user.slipway({"emulator", "fault", "list", "--format", "value"}).out.find("\t1\t1\t") !=
           std::string::npos;
  };
  while (!is_met()) {
  }
  EXPECT_EQ(user.slipway({"emulator", "stop"}, std::chrono::seconds(10)).code, 0);
  asking->send(SIGKILL);
  EXPECT_EQ(user.slipway({"emulator", "start", "--detach"}).code, 0) << "for the fixture to stop";
}

}  // namespace
}  // namespace slipway::test
