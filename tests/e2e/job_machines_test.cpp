// Jobs whose machines go, come late, or boot again. The numbers are those of docs/job-failures.md.
#include <gmock/gmock.h>

#include "e2e/job_user.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(JobMachines, Case1And2APreemptedSliceIsNoFailureAndAllGoOnTogetherOnItsNewMachines) {
  const JobUser user;
  user.write_job({}, {{"STEPS", "60"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.reaches(1, 25));
  const Json before = user.status();
  user.emulator("preempt train --node 1 --notice 0 --repair-after 1s");
  EXPECT_EQ(user.verdict(), "done");
  const Json after = user.status();
  EXPECT_EQ(attempt_state(after, 0), "preempted") << "though the others ended with 1";
  EXPECT_EQ(user.flaw(60), "");
  EXPECT_NE(worker(after, 1)["instance"], worker(before, 1)["instance"]);
  EXPECT_NE(worker(after, 1)["address"], worker(before, 1)["address"]);
  EXPECT_EQ(worker(after, 0)["instance"], worker(before, 0)["instance"]) << "reset only";
  EXPECT_EQ(after["attempts"].back()["exits"].size(), 4U) << "all workers in one attempt";
}

TEST(JobMachines, Case3TheOthersDecideWhenSliceZeroIsTheOneThatIsLost) {
  const JobUser user;
  user.write_job({{"accelerator-type", "v4-8"}, {"grace", "1s"}}, {{"STEPS", "60"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.reaches(1, 15));
  user.emulator("preempt train --node 0 --notice 0");
  ASSERT_TRUE(user.eventually([](const Json& status) { return attempt_state(status, 0) == "preempted"; }));
  EXPECT_THAT(user.object("ctl/attempt/000001/verdict"), HasSubstr("by=1-0\n"));
  const std::string coordinator = user.object("ctl/attempt/000001/go").substr(0, 30);
  user.emulator("repair train");
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.flaw(60), "");
  EXPECT_NE(user.object("ctl/attempt/000002/go").substr(0, 30), coordinator);
}

TEST(JobMachines, Case4AResetDuringSetupDoesItOverAgain) {
  const JobUser user;
  user.write_plain_job(
      "true",
      {{"setup", "echo began >>~/setups; [ $(wc -l <~/setups) != 1 ] || sleep 600; echo ended >>~/setups"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.until([&] { return !user.worker_file("127.1.0.1", "root/setups").empty(); }));
  ASSERT_EQ(user.slipway({"wait", "train", "--for", "READY", "--timeout", "60s"}).code, 0);
  ASSERT_EQ(user.slipway({"reset", "train", "--yes"}).code, 0);
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.worker_file("127.1.0.1", "root/setups"), "began\nbegan\nended\n");
}

TEST(JobMachines, Case5AResetDuringTheDownloadOfTheCodeDoesItOverAgain) {
  const JobUser user;
  user.emulator("fault add --method GET --path runs/code/ --skip 1 --delay 20s --times 2");
  user.write_job({{"accelerator-type", "v4-8"}}, {{"STEPS", "10"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) { return worker(status, 0)["phase"] == "code"; }));
  ASSERT_EQ(user.slipway({"wait", "train", "--for", "READY", "--timeout", "60s"}).code, 0);
  ASSERT_EQ(user.slipway({"reset", "train", "--yes"}).code, 0);
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.flaw(10), "");
}

TEST(JobMachines, Case6TheScriptStartedASecondTimeInABootEnds) {
  const JobUser user;
  user.write_plain_job("sleep 1000");
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) { return attempt_state(status, 0) == "running"; }));
  const Ended again =
      user.slipway({"run", "train", "--over-job", "--user", "root", "--command", "/run/startup-script"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("is running already in this boot"));
  EXPECT_EQ(attempt_state(user.status(), 0), "running");
}

TEST(JobMachines, Case7ARunOnTopOfALiveJobIsRefused) {
  const JobUser user;
  user.write_plain_job("sleep 1000");
  ASSERT_EQ(user.launch({}).code, 0);
  ASSERT_EQ(user.slipway({"wait", "train", "--for", "READY", "--timeout", "60s"}).code, 0);
  const Ended refused = user.slipway({"run", "train", "--command", "true"});
  EXPECT_EQ(refused.code, 6);
  EXPECT_THAT(refused.err, HasSubstr("the job 'train' runs on these workers"));
  EXPECT_THAT(refused.err, HasSubstr("--over-job"));
  ASSERT_EQ(user.slipway({"stop", "train", "--yes", "--wait", "--timeout", "90s"}).code, 0);
  const Ended ran = user.slipway({"run", "train", "--command", "true"});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST(JobMachines, Case8And9AWorkerThatDoesNotComeIsNamedWhileTheOthersWaitAndMayComeLate) {
  const JobUser user;
  user.write_job({{"accelerator-type", "v4-8"},
                  {"setup", "until [ -e " + user.shared() + "/go ]; do sleep 0.1; done"},
                  {"late-after", "4s"}},
                 {{"STEPS", "10"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_EQ(user.slipway({"wait", "train", "--for", "ACTIVE", "--timeout", "60s"}).code, 0);
  user.emulator("preempt train --node 1 --notice 0");
  user.shell("touch " + user.shared() + "/go");
  ASSERT_TRUE(user.eventually([](const Json& status) {
    return status["attempts"].size() == 1 && status["attempts"][0].contains("late");
  }));
  const Json waiting = user.status();
  EXPECT_EQ(waiting["attempts"][0]["late"], Json::array({"1-0"}));
  EXPECT_EQ(worker(waiting, 0)["phase"], "barrier") << "idle, not ended";
  EXPECT_TRUE(user.steps().empty());
  EXPECT_THAT(user.slipway({"status", "train"}).out,
              HasSubstr("attempt 1: still waits for 1-0 (slice-worker)"));
  user.emulator("repair train");
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.flaw(10), "");
}

TEST(JobMachines, Case10WhatAWorkerOfAnEarlierAttemptWritesLateChangesNothing) {
  const JobUser user;
  user.write_job({{"accelerator-type", "v4-8"}}, {{"STEPS", "60"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.reaches(1, 12));
  ASSERT_EQ(user.slipway({"reset", "train", "--yes"}).code, 0);
  ASSERT_TRUE(user.reaches(2, 15));
  user.put_object("runs/train/1/ctl/attempt/000001/exit/1-0/old-boot~1~-", "code=1\n");
  user.put_object("runs/train/1/ctl/attempt/000001/ready/1-0/old-boot~1~127.9.9.9", "spec=x\n");
  user.put_object("runs/train/1/ctl/attempt/000001/end", "reason=failed\nslot=1-0\ntext=late\n");
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.status()["attempts"].size(), 2U);
  EXPECT_EQ(user.flaw(60), "");
}

TEST(JobMachines, Case21AStopDuringARepairWins) {
  const JobUser user;
  user.write_job({{"accelerator-type", "v4-8"}}, {{"STEPS", "1000"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.reaches(1, 5));
  user.emulator("preempt train --node 1 --notice 0");
  ASSERT_EQ(user.slipway({"stop", "train", "--yes"}).code, 0);
  user.emulator("repair train");
  EXPECT_EQ(user.verdict(), "stopped");
  ASSERT_EQ(user.slipway({"wait", "train", "--for", "READY", "--timeout", "60s"}).code, 0);
  ASSERT_TRUE(user.until(
      [&] { return user.console("127.1.0.1").find("the job is over: stopped") != std::string::npos; }));
  for (const JobUser::Step& step : user.steps()) EXPECT_EQ(step.attempt, 1);
  EXPECT_EQ(user.slipway({"describe", "train"}).code, 0) << "its resource stays";
}

TEST(JobMachines, Case22ADeleteWhileItRunsLeavesWholeObjectsAndTheSameLaunchGoesOn) {
  const JobUser user;
  user.write_job({{"accelerator-type", "v4-8"}, {"log-period", "1s"}}, {{"STEPS", "60"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.reaches(1, 25));
  ASSERT_EQ(user.slipway({"delete", "train", "--force", "--yes"}).code, 0);
  EXPECT_THAT(user.slipway({"status", "train", "--bucket", "gs://emulator-bucket/runs"}).out,
              HasSubstr("resource: gone"));
  const Ended again = user.launch({"--wait", "--timeout", "100s"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(user.flaw(60), "");
  EXPECT_EQ(user.status()["launch"], 1);
}

TEST(JobMachines, Case24ASuspendedRequestIsMadeAnewOnlyWhenItHasComeToRest) {
  const JobUser user({"--provision-delay", "6s"});
  user.write_job({{"accelerator-type", "v4-8"}}, {{"STEPS", "60"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.reaches(1, 15));
  user.emulator("suspend train");
  const Ended early = user.launch({"--recreate"});
  EXPECT_EQ(early.code, 6) << early.err;
  EXPECT_THAT(early.err, HasSubstr("slipway wait train --for SUSPENDED"));
  ASSERT_EQ(user.slipway({"wait", "train", "--for", "SUSPENDED", "--timeout", "60s"}).code, 0);
  const Ended again = user.launch({"--recreate", "--wait", "--timeout", "100s"}, std::chrono::seconds(150));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(user.flaw(60), "");
}

}  // namespace
}  // namespace slipway::test
