// run: what reaches the workers, what comes back, and how each of them ends.
#include <gtest/gtest.h>

#include <map>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

/// One emulator with four slices of two workers, for all tests here: none of them changes it.
class Run : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = new EmulatorUser();
    user_->create_ready("qr", 4);
  }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }

  static Ended run(const std::vector<std::string>& more,
                   std::chrono::seconds limit = std::chrono::seconds(60)) {
    std::vector<std::string> words{"run", "qr"};
    words.insert(words.end(), more.begin(), more.end());
    return user_->slipway(words, limit);
  }
  /// The outcomes by label, of a run with --format json.
  static std::map<std::string, Json> outcomes(const Ended& ended) {
    std::map<std::string, Json> by_label;
    const Result<Json> json = parse_json(ended.out);
    EXPECT_TRUE(json.ok()) << ended.out << ended.err;
    if (!json.ok()) return by_label;
    for (const Json& worker : (*json)["workers"]) {
      by_label[worker["slice"].get<std::string>() + "/" + std::to_string(worker["worker"].get<int>())] =
          worker;
    }
    return by_label;
  }
  static std::string last_line(const std::string& text) {
    const std::vector<std::string> lines = split(trim(text), '\n');
    return lines.back();
  }

  static EmulatorUser* user_;
};
EmulatorUser* Run::user_ = nullptr;

TEST_F(Run, AProgramThatWaitsForAllItsPeersEndsWithTwoStartsAtATime) {
  const Ended ended = run({"--script", std::string(SLIPWAY_SOURCE_DIR) + "/examples/wait-for-peers",
                           "--rank-env", "--batch-size", "2", "--timeout", "60s"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("qr-0/0: all 8 processes have met\n"), std::string::npos) << ended.out;
  EXPECT_EQ(last_line(ended.err), "8 ok");
}

TEST_F(Run, EveryLineIsWholeAndHasItsWorkersName) {
  const Ended ended =
      run({"--command", "for i in $(seq 500); do echo \"line $i of 500 from a worker that talks\"; done"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  std::map<std::string, int> next;
  for (const std::string& line : split(trim(ended.out), '\n')) {
    const std::size_t colon = line.find(": ");
    ASSERT_NE(colon, std::string::npos) << line;
    const int number = ++next[line.substr(0, colon)];
    ASSERT_EQ(line.substr(colon + 2), "line " + std::to_string(number) + " of 500 from a worker that talks");
  }
  EXPECT_EQ(next.size(), 8U);
}

TEST_F(Run, StdoutAndStderrStayApart) {
  const Ended ended = run({"--node", "0", "--worker", "0", "--command", "echo out; echo err >&2"});
  EXPECT_EQ(ended.out, "qr-0/0: out\n");
  EXPECT_NE(ended.err.find("qr-0/0: err\n"), std::string::npos);
}

TEST_F(Run, TheCommandArrivesByteForByte) {
  const std::string hard = "a 'b' \"c\" $HOME `d` \\ * ! # ; & | < > ( ) { } [ ] ~ % ^ \t \xc3\xa9 \x01";
  const Ended words = run(
      {"--node", "0", "--worker", "0", "--output-dir", user_->home() / "bytes", "--", "printf", "%s", hard});
  ASSERT_EQ(words.code, 0) << words.err;
  EXPECT_EQ(read_file(user_->home() / "bytes/qr-0/0.out").value(), hard);
}

TEST_F(Run, ALargeScriptRunsByItsOwnFirstLine) {
  const std::string path = user_->home() / "large.pl";
  ASSERT_TRUE(write_file_atomically(path, "#!/usr/bin/perl\nprint length($x), \"\\n\";\nBEGIN { $x = '" +
                                              std::string(300'000, 'x') + "' }\n")
                  .ok());
  const Ended ended = run({"--node", "0", "--worker", "0", "--script", path});
  EXPECT_EQ(ended.out, "qr-0/0: 300000\n") << ended.err;
}

TEST_F(Run, EachEndIsToldApart) {
  const Ended ended = run({"--rank-env", "--format", "json", "--command",
                           "case $SLIPWAY_PROCESS_ID in 0) exit 0;; 1) exit 3;; 2) exit 255;; 3) exit 137;; "
                           "4) kill -9 $$;; 5) kill -TERM $$;; 6) exit 1;; 7) no-such-program;; esac"});
  EXPECT_EQ(ended.code, 3);
  const auto by_label = outcomes(ended);
  ASSERT_EQ(by_label.size(), 8U);
  EXPECT_EQ(by_label.at("qr-0/0")["outcome"], "ok");
  EXPECT_EQ(by_label.at("qr-0/1")["exitCode"], 3);
  EXPECT_EQ(by_label.at("qr-1/0")["outcome"], "exit");
  EXPECT_EQ(by_label.at("qr-1/0")["exitCode"], 255);
  EXPECT_EQ(by_label.at("qr-1/1")["outcome"], "exit");
  EXPECT_EQ(by_label.at("qr-1/1")["exitCode"], 137);
  EXPECT_EQ(by_label.at("qr-2/0")["outcome"], "signal");
  EXPECT_EQ(by_label.at("qr-2/0")["signal"], "KILL");
  EXPECT_EQ(by_label.at("qr-2/1")["signal"], "TERM");
  EXPECT_EQ(by_label.at("qr-3/1")["exitCode"], 127);
}

TEST_F(Run, AWorkerWhoseConnectionDiesIsLostAndTheOthersFinish) {
  // The session's own sshd is the parent of the wrapper; killing it takes the connection, not the worker.
  const Ended ended =
      run({"--rank-env", "--format", "json", "--command",
           "if [ $SLIPWAY_PROCESS_ID = 5 ]; then p=$$; while [ \"$(cat /proc/$p/comm)\" != sshd ]; do "
           "p=$(cut -d' ' -f4 /proc/$p/stat); done; kill -9 $p; while :; do read -t 1 < <(:); done; fi; echo "
           "fine"});
  EXPECT_EQ(ended.code, 8) << ended.err;
  const auto by_label = outcomes(ended);
  ASSERT_EQ(by_label.size(), 8U);
  EXPECT_EQ(by_label.at("qr-2/1")["outcome"], "lost") << by_label.at("qr-2/1");
  EXPECT_EQ(by_label.at("qr-3/1")["outcome"], "ok");
}

TEST_F(Run, AFloodFromOneWorkerStarvesNoOther) {
  const Ended ended = run(
      {"--rank-env", "--timeout", "60s", "--output", "none", "--output-dir", user_->home() / "flood",
       "--command",
       "if [ $SLIPWAY_PROCESS_ID = 0 ]; then head -c 50000000 /dev/zero | tr '\\0' x; else echo short; fi"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(read_file(user_->home() / "flood/qr-0/0.out").value().size(), 50'000'000U);
  EXPECT_EQ(read_file(user_->home() / "flood/qr-3/1.out").value(), "short\n");
}

TEST_F(Run, ControlBytesNeverReachATerminal) {
  const Ended ended = user_->shell(
      "script -qec 'slipway run qr --node 0 --worker 0 --command \"printf "
      "\\\"\\\\033]0;owned\\\\007x\\\\n\\\"\"' /dev/null");
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_NE(ended.out.find("^[]0;owned^Gx"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("\x1b]0;owned"), std::string::npos);
}

TEST_F(Run, ALineWithoutEndIsCutAndMarked) {
  const Ended ended =
      run({"--node", "0", "--worker", "0", "--command", "head -c 100000 /dev/zero | tr '\\0' y"});
  EXPECT_EQ(ended.code, 0);
  const std::vector<std::string> lines = split(trim(ended.out), '\n');
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find("the line goes on"), std::string::npos);
}

TEST_F(Run, OutputDirHasEveryByteAndTheWholeStory) {
  const std::string folder = user_->home() / "kept";
  const Ended ended =
      run({"--output-dir", folder, "--command", "printf 'no newline'; echo oops >&2; exit 4"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(read_file(folder + "/qr-1/1.out").value(), "no newline");
  EXPECT_EQ(read_file(folder + "/qr-1/1.err").value(), "oops\n");
  const Json record = *parse_json(read_file(folder + "/run.json").value());
  EXPECT_EQ(record["exitCode"], 3);
  EXPECT_EQ(record["queuedResource"], "qr");
  EXPECT_EQ(record["workers"].size(), 8U);
  EXPECT_EQ(record["summary"]["exit"], 8);
  EXPECT_EQ(run({"--output-dir", folder, "--command", "true"}).code, 2) << "two runs do not mix";
}

TEST_F(Run, ATimeoutEndsTheCommandThereToo) {
  const std::string marker = "slipway-timeout-" + std::to_string(::getpid());
  const Ended ended = run({"--timeout", "1s", "--command", "exec -a " + marker + " tail -f /dev/null"});
  EXPECT_EQ(ended.code, 124) << ended.err;
  const Ended left = run({"--command", "! grep -l '^" + marker + "' /proc/[0-9]*/cmdline 2>/dev/null"});
  EXPECT_EQ(left.code, 0) << left.out << left.err;
}

TEST_F(Run, VariablesAndRanksReachTheCommand) {
  const Ended ended = run({"--node", "1-2", "--worker", "1", "--rank-env", "--env", "A=it's", "--command",
                           "echo $A $SLIPWAY_PROCESS_ID/$SLIPWAY_NUM_PROCESSES "
                           "$SLIPWAY_SLICE/$SLIPWAY_NUM_SLICES $SLIPWAY_COORDINATOR"});
  EXPECT_NE(ended.out.find("qr-1/1: it's 0/2 0/2 127."), std::string::npos) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("qr-2/1: it's 1/2 1/2 127."), std::string::npos);
}

TEST_F(Run, APipeThatIsClosedEarlyDoesNotEndTheWork) {
  const std::string marker = user_->home() / "piped";
  const Ended ended =
      user_->shell("slipway run qr --output-dir " + marker + " --command 'seq 20000; echo done' | head -1");
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(read_file(marker + "/qr-3/1.out").value().find("done\n"), std::string::npos);
}

TEST_F(Run, WhatAllSayIsFoldedAndWhoSaysOtherwiseIsNamed) {
  const Ended ended = run({"--output", "fold", "--rank-env", "--command",
                           "seq 5; if [ $SLIPWAY_PROCESS_ID = 3 ]; then echo odd; fi; echo warning >&2"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out,
            "== qr-[0,2-3]/[0-1],qr-1/0 (7 workers)\n1\n2\n3\n4\n5\n"
            "== qr-1/1 (1 worker): the same but for\n@@ line 6 @@\n+ odd\n");
  EXPECT_NE(ended.err.find("== qr-[0-3]/[0-1] (8 workers)\nwarning\n"), std::string::npos) << ended.err;
}

TEST_F(Run, RawIsOneWorkersBytes) {
  const Ended ended =
      run({"--output", "raw", "--node", "1", "--worker", "1", "--command", "printf 'a\\0b\\033'"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, std::string("a\0b\033", 4));
  EXPECT_EQ(run({"--output", "raw", "--command", "true"}).code, 2) << "several would mix";
}

TEST_F(Run, FirstShowsOneAndKeepsAll) {
  EXPECT_EQ(run({"--output", "first", "--command", "true"}).code, 2) << "the others would be lost";
  const std::string folder = user_->home() / "first";
  const Ended ended = run({"--output", "first", "--output-dir", folder, "--command", "hostname"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, read_file(folder + "/qr-0/0.out").value());
  EXPECT_TRUE(file_exists(folder + "/qr-3/1.out"));
}

TEST_F(Run, AClosedOrFullStdoutIsSaidAndTheFilesAreWhole) {
  for (const std::string way : {">&-", ">/dev/full"}) {
    const std::string folder = user_->home() / ("no-stdout" + std::to_string(way.size()));
    const Ended ended =
        user_->shell("slipway run qr --output-dir " + folder + " --command 'seq 1000' " + way);
    EXPECT_EQ(ended.code, 10) << way << ended.err;
    EXPECT_NE(ended.err.find("the workers go on"), std::string::npos) << ended.err;
    EXPECT_EQ(last_line(ended.err), "8 ok");
    EXPECT_EQ(read_file(folder + "/qr-3/1.out").value().size(), 3893U);
    EXPECT_EQ((*parse_json(read_file(folder + "/run.json").value()))["exitCode"], 10);
  }
}

TEST_F(Run, EventsAndJunitTellOfEveryWorker) {
  const std::string events = user_->home() / "events.jsonl";
  const std::string junit = user_->home() / "junit.xml";
  const Ended ended = run({"--events", events, "--junit", junit, "--rank-env", "--command",
                           "[ $SLIPWAY_PROCESS_ID != 2 ] || { echo '<oops>' >&2; exit 3; }"});
  EXPECT_EQ(ended.code, 3) << ended.err;
  std::map<std::string, int> counts;
  for (const std::string& line : split(trim(read_file(events).value()), '\n'))
    ++counts[(*parse_json(line))["event"].get<std::string>()];
  const std::map<std::string, int> expected = {{"run-started", 1}, {"connecting", 8}, {"ready", 8},
                                               {"started", 8},     {"ended", 8},      {"run-ended", 1}};
  EXPECT_EQ(counts, expected);
  const std::string xml = read_file(junit).value();
  EXPECT_NE(xml.find("tests=\"8\" failures=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("message=\"exit 3\">&lt;oops&gt;"), std::string::npos) << xml;
}

TEST_F(Run, InAWorkflowWorkersCommandNothingAndFailuresAreAnnotated) {
  const Ended ended =
      user_->shell("GITHUB_ACTIONS=true slipway run qr --node 0 --command 'echo ::error::mine >&2; exit 4'");
  EXPECT_EQ(ended.code, 3);
  const std::size_t fence = ended.err.find("::stop-commands::");
  ASSERT_NE(fence, std::string::npos) << ended.err;
  const std::string token = ended.err.substr(fence + 17, ended.err.find('\n', fence) - fence - 17);
  const std::size_t end = ended.err.find("\n::" + token + "::\n");
  EXPECT_LT(ended.err.rfind("::error::mine"), end) << ended.err;
  EXPECT_NE(ended.err.find("::error title=slipway run qr::qr-0/[0-1] (2 workers): exit 4\n", end),
            std::string::npos)
      << ended.err;
  EXPECT_EQ(last_line(ended.err), "0 ok, 2 failed (exit 4: qr-0/[0-1])");
}

TEST_F(Run, AFullDiskUnderTheFilesIsSaidOnceAndTheRunGoesOn) {
  const std::string folder = user_->home() / "tiny";
  const Ended ended =
      user_->shell("unshare -m sh -c 'mkdir " + folder + " && mount -t tmpfs -o size=64k tmpfs " + folder +
                   " || exit 77; slipway run qr --output-dir " + folder + "/out --command \"seq 20000\"'");
  if (ended.code == 77 || ended.code == 1) GTEST_SKIP() << "no right to mount here: " << ended.err;
  EXPECT_EQ(ended.code, 10) << ended.err;
  EXPECT_EQ(ended.err.find("No space left"), ended.err.rfind("No space left")) << "once:\n" << ended.err;
  EXPECT_EQ(last_line(ended.err), "8 ok");
  EXPECT_NE(ended.out.find("qr-3/1: 20000\n"), std::string::npos) << "what goes to stdout is whole";
}

}  // namespace
}  // namespace slipway::test
