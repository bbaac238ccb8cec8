// A job from the words of the person who launches it to what they see of it.
#include <gmock/gmock.h>
#include <signal.h>

#include <array>
#include <regex>
#include <set>

#include "e2e/job_user.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Launch, AJobRunsToItsEndAndGivesItsResourceBack) {
  const JobUser user;
  user.write_job({{"release", "on-success"}, {"setup", "echo set up"}});
  const Ended ended = user.launch({"--follow", "--timeout", "100s"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("process 0 of 4, attempt 1, from step 1\n"));
  EXPECT_THAT(ended.out, HasSubstr("step 30 of 30\n"));
  EXPECT_THAT(ended.err, HasSubstr("--- attempt 1, slice 0 worker 0"));
  EXPECT_THAT(ended.err, HasSubstr("time of the start: queued "));
  EXPECT_THAT(ended.err, HasSubstr("first-output "));
  EXPECT_THAT(ended.err, HasSubstr("is released"));
  EXPECT_EQ(user.flaw(30), "");
  EXPECT_EQ(user.slipway({"describe", "train"}).code, 5) << "the resource is gone";
  const Json status = user.status();
  EXPECT_EQ(status["finished"]["verdict"], "done");
  EXPECT_EQ(status["committedStep"], 30);
  const Ended logs = user.slipway(
      {"logs", "train", "--node", "1", "--worker", "1", "--bucket", "gs://emulator-bucket/runs"});
  EXPECT_THAT(logs.out, HasSubstr("process 3 of 4")) << "logs stay";
}

TEST(Launch, TheSameCommandAgainIsTheSameJob) {
  const JobUser user;
  user.write_job({{"command", "sleep 100"}});
  ASSERT_EQ(user.launch().code, 0);
  const Ended again = user.launch();
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("was launched before, as asked for"));
  EXPECT_THAT(again.err, HasSubstr("is there already")) << "the code";
  EXPECT_EQ(user.count_requests("POST", "/queuedResources"), 1U);
  EXPECT_EQ(user.storage("GET", "/storage/v1/b/emulator-bucket/o?prefix=runs/code/&fields=items(name)").code,
            0);
}

TEST(Launch, StatusAndLogsNeedNoBucketWhileTheResourceIsThere) {
  const JobUser user;
  user.write_job({{"command", "echo hello from $SLIPWAY_SLICE-$SLIPWAY_WORKER; exec sleep 100"}});
  ASSERT_EQ(user.launch().code, 0);
  const auto following = user.start({"logs", "train", "-f"});
  EXPECT_TRUE(following->read_until(
      [](const std::string& out, const std::string&) { return out == "hello from 0-0\n"; }));
  const Ended status = user.slipway({"status", "train"});
  EXPECT_THAT(status.out, HasSubstr("job train (launch 1): attempt 1 runs, from the beginning\n"));
  EXPECT_THAT(status.out, HasSubstr("resource: ACTIVE\n"));
  for (const auto& [flag, number, there] : std::vector<std::array<std::string, 3>>{
           {"--attempt", "7", "its attempts are 1 to 1"},
           {"--node", "9", "it has slice 0 worker 0, slice 0 worker 1, slice 1 worker 0, slice 1 worker 1"},
           {"--worker", "5", "it has slice 0 worker 0"}}) {
    const Ended none = user.slipway({"logs", "train", flag, number});
    EXPECT_EQ(none.code, 5) << flag;
    EXPECT_THAT(none.err, HasSubstr("why: " + there));
  }
  EXPECT_EQ(user.slipway({"stop", "train", "--yes", "--wait", "--timeout", "60s"}).code, 0);
  EXPECT_EQ(following->wait().code, 0) << "the log ends with the job";
  EXPECT_EQ(user.status()["finished"]["verdict"], "stopped");
  EXPECT_THAT(user.slipway({"stop", "train", "--yes"}).err, HasSubstr("is over already: stopped"));
}

TEST(Launch, AJobWhoseMachinesAreGoneIsEndedByStopItself) {
  const JobUser user;
  user.write_plain_job("sleep 100");
  ASSERT_EQ(user.launch().code, 0);
  ASSERT_TRUE(user.eventually([](const Json& status) { return !status["attempts"].empty(); }));
  ASSERT_EQ(user.slipway({"delete", "train", "--force", "--yes"}).code, 0);
  const std::vector<std::string> stop{"stop",  "train",  "--bucket",  "gs://emulator-bucket/runs",
                                      "--yes", "--wait", "--timeout", "60s"};
  const Ended stopped = user.slipway(stop);
  EXPECT_EQ(stopped.code, 0) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("train is stopped: its machines are gone"));
  EXPECT_EQ(user.status()["finished"]["verdict"], "stopped");
  EXPECT_THAT(user.object("ctl/finished"), HasSubstr("\nattempt=1\n"));
  EXPECT_THAT(user.slipway(stop).err, HasSubstr("is over already: stopped"));
  EXPECT_THAT(user.launch({"--recreate"}).err, HasSubstr("slipway launch train --replace"));
}

TEST(Launch, AFinishedNameIsLaunchedAnewOnlyWhenAsked) {
  const JobUser user;
  user.write_job({{"command", "echo launch"}, {"checkpoint-dir", ""}, {"release", "always"}});
  ASSERT_EQ(user.launch({"--wait", "--timeout", "100s"}).code, 0);
  const Ended again = user.launch();
  EXPECT_EQ(again.code, 6) << again.err;
  EXPECT_THAT(again.err, HasSubstr("the job 'train' is over: done"));
  EXPECT_THAT(again.err, HasSubstr("--replace"));
  ASSERT_EQ(user.launch({"--replace", "--wait", "--timeout", "100s"}).code, 0);
  EXPECT_EQ(user.status()["launch"], 2);
  EXPECT_THAT(user.object("ctl/finished"), HasSubstr("verdict=done")) << "of the first, which stays";
}

TEST(Launch, AResourceOfSomebodyElseIsNotTakenOver) {
  const JobUser user;
  user.create_ready("train", 2);
  user.write_job();
  const Ended ended = user.launch();
  EXPECT_EQ(ended.code, 6);
  EXPECT_THAT(ended.err, HasSubstr("it was not made by slipway launch"));
}

TEST(Launch, AnUnknownKeyIsRefusedWithItsPlace) {
  const SlipwayUser user;
  const Ended ended =
      user.shell("printf 'node-count: 2\\n\\ncomand: x\\n' > job.yaml; slipway launch j -f job.yaml");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("job.yaml:3:1: there is no flag 'comand'"));
  EXPECT_THAT(ended.err, HasSubstr("did you mean 'command'?"));
  EXPECT_EQ(user.shell("echo 'endpoint: http://evil' > job.yaml; slipway launch j -f job.yaml").code, 2)
      << "a job does not say where tokens go";
  EXPECT_EQ(user.slipway({"launch", "j", "-f", "none.yaml"}).code, 2);
}

TEST(Launch, WhatIsMissingIsNamedAtOnce) {
  const SlipwayUser user;
  const Ended ended = user.slipway({"launch", "j", "--project", "p", "--zone", "z"});
  EXPECT_EQ(ended.code, 2);
  for (const char* flag : {"--accelerator-type", "--node-count", "--bucket", "--command"})
    EXPECT_THAT(ended.err, HasSubstr(flag));
}

TEST(Launch, WhatIsAboutOneCallStandsInNoFile) {
  const JobUser user;
  for (const char* key : {"print-script", "follow", "replace", "recreate"}) {
    const Ended ended = user.shell(std::string("printf 'node-count: 2\\n") + key +
                                   ": true\\n' > job.yaml; slipway launch j -f job.yaml");
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.err, HasSubstr(std::string("job.yaml:2:1: '") + key + "' is for the command line"));
  }
  user.write_job();
  EXPECT_THAT(user.launch({"--timeout", "1h"}).err, HasSubstr("--timeout is for --wait and --follow"));
}

TEST(Launch, APathInAFileBeginsInItsFolder) {
  const JobUser user;
  ASSERT_EQ(user.shell("mkdir -p sub/code && echo x > sub/code/run.sh").code, 0);
  user.write_job({{"code", "code"}});
  ASSERT_EQ(user.shell("mv job.yaml sub/").code, 0);
  const Ended beside = user.shell("slipway launch j -f sub/job.yaml --print-script");
  EXPECT_EQ(beside.code, 0) << beside.err;
  const Ended typed = user.shell("slipway launch j -f sub/job.yaml --code code --print-script");
  EXPECT_EQ(typed.code, 2) << "what is typed begins where it is typed";
  EXPECT_EQ(user.shell("slipway launch j -f - --code sub/code --print-script < sub/job.yaml").code, 0);
}

TEST(Launch, ARefusedRequestDoesNotUseUpTheName) {
  const JobUser user;
  user.write_job({{"accelerator-type", "v4-7"}});
  const Ended refused = user.launch();
  EXPECT_EQ(refused.code, 1) << refused.err;
  EXPECT_THAT(user.object("spec.json"), Not(HasSubstr("acceleratorType")));
  user.write_job({{"command", "sleep 100"}});
  const Ended mended = user.launch();
  EXPECT_EQ(mended.code, 0) << mended.err;
}

TEST(Launch, TheScriptAndTheRequestAreShownWithoutContactingAnybody) {
  const JobUser user;
  user.write_job();
  const std::size_t before = user.requests().size();
  const Ended script = user.launch({"--print-script"});
  EXPECT_EQ(script.code, 0) << script.err;
  EXPECT_EQ(script.out.rfind("#!/usr/bin/env bash\n", 0), 0U);
  EXPECT_EQ(user.launch({"--print-script"}).out, script.out) << "the code's digest depends on nothing else";
  const Ended request = user.launch({"--dry-run"});
  EXPECT_EQ(request.code, 0) << request.err;
  EXPECT_THAT(request.out, HasSubstr("\"slipway-job\": \"gs://emulator-bucket/runs/train/1\""));
  EXPECT_EQ(user.requests().size(), before);
}

TEST(Launch, WordsThatCannotBeAreRefusedBeforeAnythingIsContacted) {
  const JobUser user;
  const std::size_t before = user.requests().size();
  const auto refused = [&](const JobUser::Keys& keys, const std::string& word) {
    user.write_job(keys);
    const Ended ended = user.launch();
    EXPECT_EQ(ended.code, 2) << word;
    EXPECT_THAT(ended.err, HasSubstr(word));
  };
  refused({{"bucket", "http://x"}}, "--bucket");
  refused({{"bucket", ""}}, "--bucket");
  refused({{"command", ""}}, "--command");
  refused({{"release", "sometimes"}}, "--release");
  refused({{"done-when", "later"}}, "--done-when");
  refused({{"backoff", "10s"}}, "--backoff");
  refused({{"fatal-codes", "0"}}, "--fatal-codes");
  refused({{"code", "/none"}}, "there is no folder '/none'");
  refused({{"code", "git+https://example.com/r"}}, "@REVISION");
  refused({{"grace", "soon"}}, "--grace");
  refused({{"user", "-x"}}, "--user");
  refused({{"node-count", "1"}}, "--node-count");
  EXPECT_EQ(user.requests().size(), before);
}

TEST(Launch, CodeComesFromGitAndFromABucketToo) {
  const JobUser user;
  const Ended made = user.shell(
      "git init -q r && cd r && echo 'echo from the tag' > run.sh && git add . && "
      "git -c user.name=n -c user.email=e commit -qm m && git tag v1 && echo 'echo later' > run.sh");
  ASSERT_EQ(made.code, 0) << made.err;
  user.write_job(
      {{"code", "git+" + (user.home() / "r") + "@v1"}, {"command", "sh run.sh"}, {"checkpoint-dir", ""}});
  const Ended ended = user.launch({"--follow", "--timeout", "100s"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "from the tag\n");
  ASSERT_EQ(user.slipway({"delete", "train", "--force", "--yes"}).code, 0);
  const Json listed =
      *parse_json(user.storage("GET", "/storage/v1/b/emulator-bucket/o?prefix=runs/code/").out);
  ASSERT_EQ(listed["items"].size(), 1U);
  const std::string name = listed["items"][0]["name"];
  user.write_job(
      {{"code", "gs://emulator-bucket/" + name}, {"command", "sh run.sh"}, {"checkpoint-dir", ""}});
  const Ended again = user.launch({"--replace", "--follow", "--timeout", "100s"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, "from the tag\n");
}

TEST(Launch, TheSchemaHasTheFlagsOfTheHelp) {
  const std::string help = *read_file(SLIPWAY_SOURCE_DIR "/tests/golden/help/launch.txt");
  std::set<std::string> flags{"project", "zone"};
  const std::regex flag(R"(\n  (-f, )?--([a-z-]+))");
  for (std::sregex_iterator at(help.begin(), help.end(), flag), end; at != end; ++at) flags.insert((*at)[2]);
  for (const char* typed : {"file", "print-script", "follow", "replace", "recreate"}) flags.erase(typed);
  std::set<std::string> keys;
  const Json schema = *parse_json(*read_file(SLIPWAY_SOURCE_DIR "/docs/job.schema.json"));
  for (const auto& [key, value] : schema["properties"].items()) keys.insert(key);
  EXPECT_EQ(keys, flags);
}

TEST(Launch, LeavingTheWatchChangesNothingForTheJob) {
  const JobUser user;
  user.write_job({}, {{"STEPS", "60"}});
  const auto watching = user.start_launch({"--follow"});
  ASSERT_TRUE(watching->read_until(
      [](const std::string& out, const std::string&) { return out.find("step 5 of") != std::string::npos; }));
  watching->send(SIGINT);
  const Ended left = watching->wait();
  EXPECT_EQ(left.code, 130);
  EXPECT_THAT(left.err, HasSubstr("which goes on"));
  EXPECT_TRUE(user.eventually([](const Json& status) { return status.contains("finished"); }));
  EXPECT_EQ(user.flaw(60), "");
}

}  // namespace
}  // namespace slipway::test
