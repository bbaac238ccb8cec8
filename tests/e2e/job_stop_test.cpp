// A job that its user stops, whatever it is doing just then.
#include <gmock/gmock.h>

#include "e2e/job_user.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using testing::HasSubstr;

Ended stop(const JobUser& user, const std::string& limit) {
  return user.slipway({"stop", "train", "--yes", "--wait", "--timeout", limit});
}

bool all_are(const Json& status, const std::string& phase) {
  if (status["workers"].size() != 2) return false;
  for (const Json& one : status["workers"]) {
    if (one["phase"] != phase) return false;
  }
  return true;
}

TEST(JobStop, EndsALongSetUp) {
  const JobUser user;
  user.write_plain_job("true", {{"setup", "echo $$ >>" + user.shared() + "/setups; sleep 1000"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) { return all_are(status, "setup"); }));
  const Ended stopped = stop(user, "60s");
  EXPECT_EQ(stopped.code, 0) << stopped.err;
  EXPECT_EQ(user.verdict(), "stopped");
  EXPECT_EQ(user.status()["attempts"].size(), 1U);
}

TEST(JobStop, EndsThePauseBetweenTwoAttempts) {
  const JobUser user;
  user.write_plain_job("exit 1",
                       {{"backoff", "10m..10m"}, {"setup", "echo . >>" + user.shared() + "/setups"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) { return all_are(status, "back-off"); }));
  const Ended stopped = stop(user, "60s");
  EXPECT_EQ(stopped.code, 0) << stopped.err;
  EXPECT_EQ(user.verdict(), "stopped");
  EXPECT_EQ(worker(user.status(), 0)["attempt"], 2) << "which never began";
}

TEST(JobStop, WinsOverASetUpThatFailsAgainAndAgain) {
  const JobUser user;
  user.write_plain_job("true", {{"setup", "sleep 1; exit 1"}, {"setup-tries", "100"}, {"backoff", "1s..1s"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) { return status["attempts"].size() >= 2; }));
  const Ended stopped = stop(user, "60s");
  EXPECT_EQ(stopped.code, 0) << stopped.err;
  EXPECT_EQ(user.verdict(), "stopped");
}

TEST(JobStop, IsSeenByTheOthersWhileTheFirstSliceIsAway) {
  const JobUser user;
  user.write_plain_job("sleep 1000", {{"grace", "1s"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) { return all_are(status, "running"); }));
  user.emulator("preempt train --node 0 --notice 0");
  const Ended stopped = stop(user, "80s");
  EXPECT_EQ(stopped.code, 0) << stopped.err;
  EXPECT_EQ(user.verdict(), "stopped");
}

}  // namespace
}  // namespace slipway::test
