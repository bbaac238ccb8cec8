// Jobs whose command, code, bucket or checkpoints are not as they should be. The numbers are those of
// docs/job-failures.md.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <regex>

#include "e2e/job_user.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(JobCommands, Case11ABucketThatRefusesIsSaidWithTheRoleThatIsMissingAndBorne) {
  const JobUser user;
  user.write_plain_job("echo went on");
  user.emulator("fault add --method GET --path ctl/attempt --status 403 --times 6");
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_THAT(user.console("127.1.0.1"),
              HasSubstr("gs://emulator-bucket refused us (403): the workers' service account needs "
                        "roles/storage.objectUser on it"));
}

TEST(JobCommands, Case12CodeThatIsNotWhatWasLaunchedStartsNowhere) {
  const JobUser user({"--provision-delay", "3s"});
  user.put_object("c.tar.gz", "the code");
  user.write_plain_job("echo started", {{"code", "gs://emulator-bucket/c.tar.gz"}, {"setup-tries", "1"}});
  ASSERT_EQ(user.launch().code, 0);
  user.put_object("c.tar.gz", "other code");
  EXPECT_EQ(user.verdict(), "give-up");
  const Json status = user.status();
  EXPECT_THAT(status["finished"]["text"].get<std::string>(), HasSubstr("its digest differs"));
  EXPECT_FALSE(status["attempts"][0].contains("startedAt"));
  EXPECT_EQ(user.slipway({"logs", "train"}).out, "");
}

TEST(JobCommands, Case13ALargeOutputIsWholeInTheBucketAndSmallOnTheDisk) {
  const JobUser user;
  user.write_plain_job(
      "if [ $SLIPWAY_SLICE = 0 ]; then for i in 1 2 3 4 5 6; do seq -w ${i}000000 ${i}099999; sleep 1; done; "
      "fi; "
      "sleep 2; stat -c %b:%B /root/.slipway/train/output",
      {{"log-size", "1"}, {"log-period", "1s"}, {"poll", "1s"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "done");
  const std::string out = user.slipway({"logs", "train"}).out;
  const std::vector<std::string> lines = split(out, '\n');
  ASSERT_EQ(lines.size(), 6U * 100'000 + 2);
  EXPECT_EQ(lines.front(), "1000000");
  EXPECT_EQ(lines[599'999], "6099999");
  const std::vector<std::string> used = split(lines[600'000], ':');
  EXPECT_LT(std::stol(used[0]) * std::stol(used[1]), 3L << 20) << "of 4.8 MB";
}

TEST(JobCommands, Case15ExitCode0AfterATermIsNotDone) {
  const JobUser user;
  user.write_plain_job(
      "if [ $SLIPWAY_ATTEMPT = 1 ]; then echo up; trap 'exit 0' TERM; while :; do sleep 0.1; done; fi; echo "
      "again");
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) { return attempt_state(status, 0) == "running"; }));
  ASSERT_TRUE(user.until([&] { return user.slipway({"logs", "train"}).out == "up\n"; }));
  user.emulator("preempt train --node 1 --notice 3s --repair-after 1s");
  EXPECT_EQ(user.verdict(), "done");
  const Json status = user.status();
  EXPECT_EQ(attempt_state(status, 0), "preempted");
  for (const Json& ended : status["attempts"][0]["exits"]) EXPECT_EQ(ended["code"], "0");
}

TEST(JobCommands, TheCommandRunsAsItsUserAndHasAllOfItsGraceToSave) {
  const JobUser user;
  const std::string key(trim(user.shell("cat \"$SLIPWAY_SSH_KEY.pub\"").out));
  user.write_plain_job(
      "if [ $SLIPWAY_ATTEMPT = 1 ]; then trap 'sleep 4; echo saved as $(id -un) in $HOME; exit 0' TERM; echo "
      "up; "
      "while :; do sleep 0.1; done; fi",
      {{"user", "trainer"},
       {"grace", "20s"},
       // The emulator makes the users of ssh keys; useradd cannot replace files that are bound there.
       {"metadata", "ssh-keys=trainer:" + key}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.until([&] { return user.slipway({"logs", "train"}).out == "up\n"; }));
  user.emulator("preempt train --node 1 --notice 8s --repair-after 1s");
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_THAT(user.slipway({"logs", "train", "--attempt", "1"}).out,
              HasSubstr("saved as trainer in /home/trainer\n"));
}

TEST(JobCommands, Case16OneFailureAmongManySuccessesIsAFailureWithItsName) {
  const JobUser user;
  user.write_plain_job("if [ $SLIPWAY_PROCESS_ID = 2 ]; then echo out of memory; exit 137; fi",
                       {{"node-count", "4"}, {"max-failures", "0"}});
  const Ended ended = user.launch({"--wait", "--timeout", "100s"});
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("slice 2 worker 0 ended with 137: out of memory"));
}

TEST(JobCommands, Case17AnyExitCodeIsTheCommandsOwn) {
  const JobUser user;
  user.write_plain_job("[ $SLIPWAY_ATTEMPT != 1 ] || exit 255");
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "done");
  const Json status = user.status();
  EXPECT_EQ(attempt_state(status, 0), "failed");
  EXPECT_THAT(status["attempts"][0]["end"]["text"].get<std::string>(), HasSubstr("ended with 255"));
}

TEST(JobCommands, Case18AHangShowsItsStacksAndTheSecondOneResetsTheSlices) {
  const JobUser user;
  user.write_plain_job(
      "if [ $SLIPWAY_ATTEMPT -gt 2 ]; then exit 0; fi; echo begins; exec python3 -X faulthandler -c 'import "
      "faulthandler, signal, time\n"
      "faulthandler.register(signal.SIGQUIT)\n"
      "def stuck():\n  while True: time.sleep(1)\n"
      "stuck()'",
      {{"hang-timeout", "3s"}, {"grace", "1s"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "done");
  const Json status = user.status();
  EXPECT_EQ(status["attempts"][0]["end"]["reason"], "hang");
  std::string logs;
  for (const char* slice : {"0", "1"}) logs += user.slipway({"logs", "train", "--node", slice}).out;
  EXPECT_THAT(logs, HasSubstr("in stuck"));
  EXPECT_EQ(user.count_requests("POST", "train:reset"), 1U);
}

TEST(JobCommands, Case19ACrashLoopEndsWhenNoNewStepIsCommitted) {
  const JobUser user;
  user.write_plain_job("exit 9", {{"checkpoint-dir", "gs://emulator-bucket/ckpt"}, {"backoff", "1s..1s"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "give-up");
  const Json status = user.status();
  EXPECT_EQ(status["attempts"].size(), 3U);
  EXPECT_THAT(status["finished"]["text"].get<std::string>(), EndsWith("no new committed step in 3 attempts"));
}

TEST(JobCommands, Case20And37AHalfWrittenCheckpointIsPassedOver) {
  const JobUser user;
  user.put_object("ckpt/10/state", "sum 55\n");
  user.put_object("ckpt/10/commit_success.txt", "committed\n");
  user.put_object("ckpt/20/state", "half");
  user.put_object("ckpt/15.orbax-checkpoint-tmp-1/commit_success.txt", "temporary");
  user.write_job({{"accelerator-type", "v4-8"}, {"grace", "1s"}},
                 {{"STEPS", "60"}, {"TERM_SAVE_TIME", "30"}});
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.reaches(1, 33));
  EXPECT_EQ(user.steps().front().step, 11);
  // Slice 0 is told to end, begins to save, and does not come to the end of it.
  user.emulator("preempt train --node 0 --notice 2s --repair-after 1s");
  EXPECT_EQ(user.verdict(), "done");
  const long resumed = user.status()["attempts"].back()["resumeStep"];
  EXPECT_EQ(resumed % 10, 0) << "the save on TERM, at a step of its own, was not committed";
  EXPECT_GE(resumed, 30);
  EXPECT_EQ(user.steps().back().step, 60);
}

TEST(JobCommands, Case34AnotherSpecUnderTheNameIsRefusedWithWhatDiffers) {
  const JobUser user;
  user.write_plain_job("sleep 1000");
  ASSERT_EQ(user.launch().code, 0);
  user.write_plain_job("sleep 2000");
  const Ended other = user.launch();
  EXPECT_EQ(other.code, 6);
  EXPECT_THAT(other.err, HasSubstr("the name 'train' has another job"));
  EXPECT_THAT(other.err, HasSubstr("command: was \"sleep 1000\", is \"sleep 2000\""));
  const Ended replaced = user.launch({"--replace"});
  EXPECT_EQ(replaced.code, 6) << "its resource still works for the first launch";
  EXPECT_THAT(replaced.err, HasSubstr("is not this launch's"));
}

TEST(JobCommands, Case35TheEnvironmentArrivesByteForByte) {
  const JobUser user;
  const std::string value = "a'b\"c $HOME `id` \\ \n two\ttabs !! \xc3\xa9 $(x) %s ; & |";
  user.write_plain_job("printf '%s' \"$V\" | base64 -w0; echo");
  const Result<Json> job = parse_json(user.shell("cat job.yaml").out);
  Json with_value = *job;
  with_value["env"]["V"] = value;
  user.shell("cat >job.yaml <<'END_OF_JOB'\n" + dump_json(with_value) + "\nEND_OF_JOB");
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "done");
  EXPECT_EQ(user.slipway({"logs", "train"}).out, base64_encode(value) + "\n");
}

TEST(JobCommands, Case36WorkersThatMeetDoNotStormTheBucket) {
  const JobUser user;
  user.write_plain_job("true", {{"node-count", "8"}, {"accelerator-type", "v4-16"}});
  ASSERT_EQ(user.launch().code, 0);
  EXPECT_EQ(user.verdict(), "done");
  std::size_t conflicts = 0;
  std::size_t all = 0;
  for (const Json& request : user.requests()) {
    ++all;
    if (request.contains("status") && request["status"] == 412) ++conflicts;
  }
  EXPECT_LE(conflicts, 40U) << "16 workers write end, finished and the like once each, and never again";
  EXPECT_LE(all, 16U * 80) << "of all requests";
}

TEST(JobCommands, Case38AScriptThatMetadataDoesNotTakeIsRefusedWithAdvice) {
  const JobUser user;
  user.write_plain_job("true", {{"setup", std::string(300'000, 'x')}});
  const Ended refused = user.launch();
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("metadata takes 262144"));
  EXPECT_THAT(refused.err, HasSubstr("--code"));
}

}  // namespace
}  // namespace slipway::test
