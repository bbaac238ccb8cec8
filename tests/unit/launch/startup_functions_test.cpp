// Single functions of the startup script, with a machine that is made up. The numbers are those of
// docs/job-failures.md.
#include <gmock/gmock.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "slipway/launch/startup_script.h"
#include "support/program.h"
#include "support/raw_http_server.h"
#include "support/temp_folder.h"

namespace slipway::launch {
namespace {

class StartupFunctions : public ::testing::Test {
 protected:
  /// Runs `words` where the script would begin its work: with all its functions, and none of its doings.
  test::Ended run(const std::string& words, test::Program::Environment environment = {}) {
    return start(words, std::move(environment))->wait();
  }
  std::unique_ptr<test::Program> start(const std::string& words, test::Program::Environment environment) {
    job.name = "train";
    job.home = {"bucket", "runs"};
    job.command = "true";
    job.chips = 8;
    if (job.checkpoint_dir.empty()) job.checkpoint_dir = folder / "ckpt";
    job.checkpoint_rule = CheckpointRule::kPlain;
    const std::string script = *startup_script(job, endpoints);
    const std::size_t work = script.find("\nalone_in_this_boot\ntrap ");
    EXPECT_NE(work, std::string::npos);
    EXPECT_TRUE(write_file_atomically(folder / "script", script.substr(0, work) + "\n" + words + "\n").ok());
    EXPECT_TRUE(make_directories(folder / "run/train").ok());
    environment["SLIPWAY_RUN_FOLDER"] = folder / "run";
    environment["SLIPWAY_STATE_FOLDER"] = folder / "state";
    std::vector<std::string> program{"/bin/bash", folder / "script"};
    program.insert(program.begin(), around.begin(), around.end());
    return std::make_unique<test::Program>(program, environment);
  }
  void touch(const std::string& name) {
    const std::string path = folder / name;
    ASSERT_TRUE(make_directories(path.substr(0, path.rfind('/'))).ok());
    ASSERT_TRUE(write_file_atomically(path, "").ok());
  }
  test::TempFolder folder;
  JobSpec job;
  ServiceEndpoints endpoints;
  std::vector<std::string> around;  ///< words before the script's: a program that runs it
};

TEST_F(StartupFunctions, Case14ALockOfDpkgIsWaitedForUpToALimit) {
  touch("lock");
  const test::Program::Environment there{{"SLIPWAY_DPKG_LOCK", folder / "lock"}, {"SLIPWAY_DPKG_LIMIT", "1"}};
  EXPECT_EQ(run("dpkg_is_free && echo free", there).out, "free\n");
  const Fd lock(::open((folder / "lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::lockf(lock.get(), F_LOCK, 0), 0) << "as dpkg takes it";
  EXPECT_EQ(run("dpkg_is_free || echo \"$reason\"", there).out,
            "another package manager held its lock for too long\n");
}

TEST_F(StartupFunctions, Case33AMachineThatShowsFewerChipsThanItHasIsNamed) {
  const test::Program::Environment there{{"SLIPWAY_DEV_FOLDER", folder / "dev"}};
  const std::string look = "workers=2 instance=4711; chips_are_all_there && echo fine || echo \"$reason\"";
  EXPECT_EQ(run(look, there).out, "fine\n") << "none at all: no TPU machine, or another kind of device";
  for (const char* name : {"dev/accel0", "dev/accel1", "dev/accel2"}) touch(name);
  EXPECT_EQ(run(look, there).out, "a fault of this machine, instance 4711: 3 of 4 chips are there\n");
  touch("dev/accel3");
  EXPECT_EQ(run(look, there).out, "fine\n");
}

TEST_F(StartupFunctions, WhatAJobDidNotOpenIsLeftItsChips) {
  touch("dev/accel0");
  const test::Program::Environment there{{"SLIPWAY_DEV_FOLDER", folder / "dev"}};
  const auto holders = [&](const std::string& environment) {
    return run("env " + environment + " tail -f /dev/null <\"$SLIPWAY_DEV_FOLDER/accel0\" & p=$!\n" +
                   "[ \"$(chip_holders)\" != $p ] || echo seen; kill $p",
               there)
        .out;
  };
  EXPECT_EQ(holders("SLIPWAY_JOB=train"), "seen\n");
  EXPECT_EQ(holders("PROFILER=1"), "");
}

TEST_F(StartupFunctions, NoNameOfTheUsersMeetsOneOfTheScripts) {
  job.environment = {{"JOB_NAME", "mine"}, {"RUN", "1"},     {"STATE", "2"}, {"attempt", "3"},
                     {"environment", "4"}, {"secrets", "5"}, {"user", "6"},  {"directory", "7"},
                     {"file", "8"},        {"METADATA", "9"}};
  const std::string show =
      "environment=(\"${JOB_ENV[@]}\") secrets=(); (become \"$(id -un)\" / bash -c 'echo "
      "$JOB_NAME,$RUN,$STATE,$attempt,$environment,$secrets,$user,$directory,$file,$METADATA,$SLIPWAY_"
      "ATTEMPT; "
      "printenv | grep -c __slipway; { : <&3; } 2>/dev/null || echo closed')";
  EXPECT_EQ(run(show).out, "mine,1,2,3,4,5,6,7,8,9,0\n0\nclosed\n");
}

TEST_F(StartupFunctions, AFolderOfCheckpointsThatCannotBeReadIsNotAnEmptyOne) {
  test::RawHttpServer metadata({test::reply(200, R"({"access_token": "ya29.machine", "expires_in": 3599})")});
  job.checkpoint_dir = "gs://steps/ckpt";
  const test::Program::Environment there{
      {"GCE_METADATA_HOST", "127.0.0.1:" + std::to_string(metadata.port())}};
  const auto newest = [&](int status) {
    test::RawHttpServer bucket({test::reply(status, "{}")});
    endpoints.storage = bucket.url();
    return run("newest_step; echo \"= $?\"", there);
  };
  const test::Ended refused = newest(403);
  EXPECT_EQ(refused.out, "= 3\n");
  EXPECT_NE(refused.err.find("gs://steps refused us (403)"), std::string::npos) << refused.err;
  EXPECT_EQ(newest(400).out, "= 1\n");
  EXPECT_EQ(newest(404).out, "-1\n= 0\n") << "there is no such bucket yet";
  EXPECT_EQ(newest(200).out, "-1\n= 0\n");
}

TEST_F(StartupFunctions, Case15AnEndWithinTheWordToEndIsMarkedAsTold) {
  const test::Ended ended = run(R"sh(
write() { cat >/dev/null; echo "${1#"$CTL/"}"; }
boot=b log=$RUN/log; : >"$log"
sleep 0 & child=$!; wait $child; told=1
supervise; mark_exit "$code_of_child" words)sh");
  EXPECT_EQ(ended.out, "attempt/000000/end\nattempt/000000/exit/0-0/b~0~t\n") << ended.err;
}

TEST_F(StartupFunctions, ATermIsPassedOnWhileTheBucketSaysNothing) {
  test::RawHttpServer metadata({test::reply(200, R"({"access_token": "ya29.machine", "expires_in": 3599})")});
  test::RawHttpServer bucket({{"", test::RawReply::Then::kHang}});
  endpoints.storage = bucket.url();
  const std::string words = R"sh(
trap on_term TERM
setsid bash -c 'trap "echo told; exit" TERM; echo up; while :; do sleep 0.05; done' & child=$!
ended)sh";
  const std::string host = "127.0.0.1:" + std::to_string(metadata.port());
  const auto program = start(words, {{"GCE_METADATA_HOST", host}});
  ASSERT_TRUE(program->read_until([](const std::string& out, const std::string&) { return out == "up\n"; }));
  bucket.wait_for_requests(1);
  program->send(SIGTERM);
  EXPECT_TRUE(
      program->read_until([](const std::string& out, const std::string&) { return out == "up\ntold\n"; },
                          std::chrono::seconds(30)));
}

/// decide(), in a world of two workers: E are the exits, S the newest step or nothing, X what `show` finds.
const std::string kDecide = R"sh(
slices=2 attempt=2
exits() { printf '%s\n' "${E[@]}"; }
missing_slots() { printf ''; }
ended() { :; }
newest_step() { if [ -n "${S-}" ]; then echo "$S"; else return 3; fi; }
show() { case $1 in */stop) [ -n "${STOP-}" ] ;; */verdict) echo "${X-}" ;; *) return 4 ;; esac }
write() { case $1 in */verdict) tr '\n' ' ' | grep -oE '(verdict|text|stuck|failures|setups)=[^=]* ' | tr -d '\n'; echo ;; *) cat >/dev/null ;; esac }
)sh";

TEST_F(StartupFunctions, AVerdictIsOnlyWhatCanBeSeen) {
  const auto verdict = [&](const std::string& world) {
    return run(kDecide + world + "\ndecide 2>/dev/null || echo later").out;
  };
  EXPECT_EQ(verdict("E=('0-0 0 -' '1-0 0 -') S=5 end_seen=$'reason=done\\ntext=all ended with 0'"),
            "verdict=done text=all ended with 0 failures=0 stuck=0 setups=0 \n")
      << "somebody decided it before, and could not write it";
  EXPECT_EQ(verdict("E=('0-0 137 -' '1-0 2 t') S=5 X=step=5 end_seen=$'reason=failed\\ntext=oom'"),
            "verdict=failed text=oom failures=1 stuck=1 setups=0 \n")
      << "2 is fatal, but here only the answer to TERM";
  EXPECT_EQ(verdict("E=('0-0 2 -' '1-0 143 t') S=5 end_seen=$'reason=failed\\ntext=oops'").substr(0, 16),
            "verdict=give-up ");
  EXPECT_EQ(
      verdict("E=('0-0 1 -' '1-0 1 -') S=100 X=$'step=5\\nstuck=2\\nfailures=9' end_seen=reason=failed"),
      "verdict=failed text=some ended with an error failures=1 stuck=0 setups=0 \n")
      << "there was progress";
  EXPECT_EQ(verdict("E=('0-0 1 -' '1-0 1 -') S= X=$'step=5\\nstuck=2' end_seen=reason=failed"),
            "verdict=failed text=some ended with an error failures=1 stuck=2 setups=0 \n")
      << "nobody can see whether there was progress";
  job.done_when = "step:50";
  EXPECT_EQ(verdict("E=('0-0 1 -' '1-0 0 -') S=50 end_seen=$'reason=failed\\ntext=oops'").substr(0, 13),
            "verdict=done ");
  EXPECT_EQ(verdict("E=('0-0 0 -' '1-0 0 -') S=99999999999999999999 end_seen=").substr(0, 15),
            "verdict=failed ")
      << "no number that a step can be";
  EXPECT_THAT(verdict("E=('0-0 0 -' '1-0 0 -') S= end_seen="), testing::HasSubstr("setups=1"))
      << "403 is like a set-up that failed";
  EXPECT_EQ(verdict("E=('0-0 0 -' '1-0 0 -') S= STOP=1 end_seen=").substr(0, 16), "verdict=stopped ");
  EXPECT_EQ(verdict("newest_step() { return 1; }; E=('0-0 0 -' '1-0 0 -') end_seen="), "later\n");
}

TEST_F(StartupFunctions, AReleaseWaitsForTheLogsAlsoWhenItCannotSeeWhoseAreThere) {
  job.release = Release::kOnSuccess;
  const std::string world = R"sh(
nap() { echo waits; SECONDS=$((SECONDS + 150)); }
show() { return 4; }; write() { cat >/dev/null; }; api() { echo asks >&2; return 1; }
)sh";
  const test::Ended blind = run(world + "missing_slots() { return 1; }; release done");
  EXPECT_EQ(blind.out, "waits\nwaits\n") << "until its limit";
  EXPECT_EQ(blind.err.substr(0, 5), "asks\n");
  EXPECT_EQ(run(world + "missing_slots() { printf ''; }; release done").out, "");
  EXPECT_EQ(run(world + "release give-up").err, "") << "the policy says on success";
}

TEST_F(StartupFunctions, AHangIsNeitherOutputNorAStep) {
  job.hang_timeout = std::chrono::seconds(100);
  EXPECT_EQ(run(R"sh(
log=$RUN/log part=0 quiet_size= quiet_step=-1; : >"$log"
look() { hung && echo hangs || echo works; }
look; SECONDS=$((SECONDS + 101)); mkdir -p "$JOB_CHECKPOINT_DIR/5"; look
SECONDS=$((SECONDS + 50)); look; SECONDS=$((SECONDS + 51)); look
echo more >>"$log"; look)sh")
                .out,
            "works\nworks\nworks\nhangs\nworks\n");
}

TEST_F(StartupFunctions, TheNewestStepIsTheHighestNumberThatIsComplete) {
  EXPECT_EQ(run("newest_step").out, "-1\n");
  for (const char* name :
       {"ckpt/9/x", "ckpt/step_100.pt", "ckpt/step_250.pt.tmp", "ckpt/notes.txt", "ckpt/0020/x"})
    touch(name);
  EXPECT_EQ(run("newest_step").out, "100\n");
}

TEST_F(StartupFunctions, APauseDoublesUpToTheMost) {
  EXPECT_EQ(run("for i in 1 2 3 7 20; do back_off $i; done").out, "10\n20\n40\n600\n600\n");
}

TEST_F(StartupFunctions, Case13AFullDiskIsAFaultOfThisMachine) {
  ASSERT_TRUE(make_directories(folder / "state").ok());
  around = {"/usr/bin/bwrap", "--dev-bind", "/", "/", "--size", "4194304", "--tmpfs", folder / "state"};
  const test::Ended ended = run(R"sh(
mkdir -p "$STATE" && instance=4711 log=$STATE/output
echo 'step 7' >"$log" && disk_fault
head -c 8M /dev/zero >"$STATE/big" 2>/dev/null || echo "$(disk_fault)$(last_words)"
rm "$STATE/big" && disk_fault)sh");
  EXPECT_EQ(ended.out, "a fault of this machine, instance 4711: its disk is full; step 7\n") << ended.err;
}

const std::string kSetupSeesThem =
    "environment=(); if read_secrets; then (become \"$(id -un)\" / bash -c 'printf %s \"$TOKEN\"'); else "
    "echo \"$reason\"; fi";

TEST_F(StartupFunctions, ASecretIsFetchedFromSecretManagerWithTheTokenOfTheMachine) {
  test::RawHttpServer metadata({test::reply(200, R"({"access_token": "ya29.machine", "expires_in": 3599})")});
  // Bytes that a shell could trip over; as the API prints them, over several lines.
  test::RawHttpServer manager(
      {test::reply(200,
                   "{\n  \"name\": \"projects/1/secrets/hf/versions/3\",\n  \"payload\": "
                   "{\n    \"data\": \"YSAkYiAiYyInCmQ=\",\n    \"dataCrc32c\": \"1\"\n  }\n}\n")});
  endpoints.secret_manager = manager.url();
  job.secrets = {{"TOKEN", "secret:projects/p/secrets/hf/versions/3"}};
  const std::string host = "127.0.0.1:" + std::to_string(metadata.port());
  const test::Ended ended = run(kSetupSeesThem, {{"GCE_METADATA_HOST", host}});
  EXPECT_EQ(ended.out, "a $b \"c\"'\nd") << ended.err;
  ASSERT_EQ(manager.requests().size(), 1U);
  const test::RawRequest asked = manager.requests().front();
  EXPECT_EQ(asked.line(), "GET /v1/projects/p/secrets/hf/versions/3:access HTTP/1.1");
  EXPECT_EQ(asked.header("Authorization"), "Bearer ya29.machine");
  EXPECT_EQ(test::run_program({"/bin/grep", "-rlF", "a $b", folder / "run", folder / "state"}, {}).out, "")
      << "a secret stays in memory";
}

TEST_F(StartupFunctions, ASecretThatMayNotBeReadNamesTheRoleThatIsMissing) {
  test::RawHttpServer metadata({test::reply(200, R"({"access_token": "ya29.machine", "expires_in": 3599})")});
  test::RawHttpServer manager({test::reply(403, R"({"error": {"status": "PERMISSION_DENIED"}})")});
  endpoints.secret_manager = manager.url();
  job.secrets = {{"TOKEN", "secret:projects/p/secrets/hf/versions/3"}};
  const std::string host = "127.0.0.1:" + std::to_string(metadata.port());
  const test::Ended ended = run(kSetupSeesThem, {{"GCE_METADATA_HOST", host}});
  EXPECT_EQ(ended.out, "the secret of TOKEN cannot be read from secret:projects/p/secrets/hf/versions/3\n");
  EXPECT_NE(ended.err.find("projects/p/secrets/hf/versions/3 refused us (403): the workers' service account "
                           "needs roles/secretmanager.secretAccessor on it"),
            std::string::npos)
      << ended.err;
}

TEST_F(StartupFunctions, ACommandNeverStartsWithAnEmptySecret) {
  job.secrets = {{"TOKEN", "file:" + (folder / "token")}};
  const std::string missing = "the secret of TOKEN cannot be read from file:" + (folder / "token") + "\n";
  EXPECT_EQ(run(kSetupSeesThem).out, missing);
  touch("token");
  EXPECT_EQ(run(kSetupSeesThem).out, missing) << "an empty file";
  ASSERT_TRUE(write_file_atomically(folder / "token", "hf_1\n").ok());
  EXPECT_EQ(run(kSetupSeesThem).out, "hf_1");
}

}  // namespace
}  // namespace slipway::launch
