// What a job makes of its checkpoints, its output and its silence.
#include <gmock/gmock.h>

#include "e2e/job_user.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using testing::HasSubstr;

TEST(JobProgress, CheckpointsThatMayNotBeReadAreNotABeginning) {
  const JobUser user;
  ASSERT_THAT(user.storage("POST", "/storage/v1/b?project=emulator-project", R"({"name": "steps"})").out,
              HasSubstr("storage#bucket"));
  user.emulator("fault add --method GET --path '/storage/v1/b/steps/*' --times 0 --status 403");
  user.write_plain_job("echo from ${SLIPWAY_RESUME_STEP:-the beginning}",
                       {{"checkpoint-dir", "gs://steps/ckpt"}, {"setup-tries", "1"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "give-up");
  EXPECT_THAT(user.status()["finished"]["text"].get<std::string>(),
              HasSubstr("the checkpoints in gs://steps/ckpt may not be read (403)"));
  EXPECT_EQ(user.slipway({"logs", "train"}).out, "") << "nothing was started";
}

TEST(JobProgress, AWorkerThatIsSilentAndMakesStepsDoesNotHang) {
  const JobUser user;
  user.write_plain_job(
      "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; mkdir -p $SLIPWAY_CHECKPOINT_DIR/$i; done; echo made $i",
      {{"hang-timeout", "3s"},
       {"node-count", ""},
       {"node-id", "n"},
       {"checkpoint-dir", user.shared() + "/ckpt"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.status()["attempts"].size(), 1U);
}

TEST(JobProgress, TheNewestCommittedStepIsShownWhileItRuns) {
  const JobUser user;
  user.write_plain_job("mkdir -p $SLIPWAY_CHECKPOINT_DIR/7; sleep 1000",
                       {{"checkpoint-dir", user.shared() + "/ckpt"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_TRUE(user.eventually([](const Json& status) { return status["committedStep"] == 7; }));
  EXPECT_EQ(attempt_state(user.status(), 0), "running");
}

TEST(JobProgress, AStepThatIsReachedIsDoneWhateverTheExitCode) {
  const JobUser user;
  user.write_plain_job("mkdir -p $SLIPWAY_CHECKPOINT_DIR/3; exit 1",
                       {{"checkpoint-dir", user.shared() + "/ckpt"}, {"done-when", "step:3"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.status()["finished"]["text"], "step 3 is committed");
}

TEST(JobProgress, AHalfWrittenFileIsNotTheOneThatIsWaitedFor) {
  const JobUser user;
  user.put_object("out/done.partial", "half");
  user.write_plain_job("true", {{"done-when", "file:gs://emulator-bucket/out/done"}, {"max-failures", "1"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "give-up");
  EXPECT_THAT(user.status()["finished"]["text"].get<std::string>(),
              HasSubstr("gs://emulator-bucket/out/done is not there, though all ended with 0"));
  EXPECT_THAT(user.status()["finished"]["text"].get<std::string>(),
              HasSubstr("failure 2 in a row, and 1 are allowed"));
}

TEST(JobProgress, WhatWasSaidJustBeforeAResetIsInTheLog) {
  const JobUser user;
  user.write_plain_job("echo attempt $SLIPWAY_ATTEMPT; if [ $SLIPWAY_ATTEMPT = 1 ]; then touch " +
                           user.shared() + "/up-$SLIPWAY_SLICE; sleep 1000; fi",
                       {{"log-period", "10m"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.until([&] { return user.shell("cat " + user.shared() + "/up-1").code == 0; }));
  ASSERT_TRUE(user.eventually([](const Json& status) { return attempt_state(status, 0) == "running"; }));
  ASSERT_EQ(user.slipway({"wait", "train", "--for", "READY", "--timeout", "60s"}).code, 0);
  ASSERT_EQ(user.slipway({"reset", "train", "--yes"}).code, 0);
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.slipway({"logs", "train", "--node", "1", "--attempt", "1"}).out, "attempt 1\n");
}

TEST(JobProgress, ASupervisorThatIsKilledIsNoticedByTheOthers) {
  const JobUser user;
  user.write_plain_job("if [ $SLIPWAY_ATTEMPT$SLIPWAY_SLICE = 11 ]; then sleep 1000; fi");
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) {
    return status["attempts"].size() == 1 && status["attempts"][0].contains("exits");
  }));
  const Ended killed =
      user.slipway({"run", "train", "--over-job", "--user", "root", "--node", "1", "--command",
                    "for p in /proc/[0-9]*; do case \"$(tr '\\0' ' ' <$p/cmdline 2>/dev/null)\" in "
                    "*bash*/run/startup-scrip[t]*) "
                    "kill -KILL ${p#/proc/};; esac; done; exit 0"});
  ASSERT_EQ(killed.code, 0) << killed.err;
  EXPECT_TRUE(user.eventually([](const Json& status) { return attempt_state(status, 0) == "preempted"; },
                              std::chrono::seconds(150)));
  EXPECT_THAT(user.status()["attempts"][0]["end"]["text"].get<std::string>(),
              HasSubstr("slice 1 worker 0 has fallen silent"));
  EXPECT_EQ(user.verdict(), "done") << "all slices were reset: nobody else could start that supervisor";
}

TEST(JobProgress, AReleaseThatIsRefusedIsNotCalledOne) {
  const JobUser user;
  user.emulator("fault add --method DELETE --path queuedResources --times 0 --status 403");
  user.write_plain_job("true", {{"release", "on-success"}});
  const Ended ended = user.launch({"--wait", "--timeout", "100s"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err,
              HasSubstr("not released: the API refused it (does the service account have roles/tpu.admin?)"));
  const Json status = user.status();
  EXPECT_EQ(status["released"], false);
  EXPECT_THAT(user.slipway({"status", "train"}).out, HasSubstr("not released: the API refused it"));
}

}  // namespace
}  // namespace slipway::test
