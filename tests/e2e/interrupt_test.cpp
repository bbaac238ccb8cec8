// Ctrl-C and SIGTERM at every phase: said at once, what goes on is named, and the exit code is 128 + the
// signal.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "e2e/slipway_user.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class Interrupted : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = new EmulatorUser({"--provision-delay", "50ms", "--capacity", "64"});
    user_->create_ready("qr", 2);
  }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }
  /// A launcher whose program in the background ignores INT, as bash has it, and holds stdout.
  static std::string in_background(const std::string& marker, const std::string& then) {
    return "bash -c 'exec -a " + marker + " sleep 600' & echo started; " + then;
  }
  static std::unique_ptr<Program> start_and_see_started(const std::vector<std::string>& words) {
    auto program = user_->start(words);
    EXPECT_TRUE(program->read_until([](const std::string& out, const std::string&) {
      const auto lines = split(out, '\n');
      return std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
               return line.find("started") != std::string::npos;
             }) == 4;
    }));
    return program;
  }
  static std::unique_ptr<Program> start_endless(const std::string& marker,
                                                const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run", "qr", "--command",
                                   "echo started; exec -a " + marker + " tail -f /dev/null"};
    words.insert(words.end(), more.begin(), more.end());
    return start_and_see_started(words);
  }
  /// Nothing of that name runs on any worker, now or within a few seconds.
  static void expect_gone(const std::string& marker) {
    const Ended left =
        user_->slipway({"run", "qr", "--command",
                        "for i in $(seq 150); do grep -qs '^" + marker +
                            "' /proc/[0-9]*/cmdline || exit 0; read -t 0.1 < <(:); done; exit 1"});
    EXPECT_EQ(left.code, 0) << left.out << left.err;
  }
  static EmulatorUser* user_;
};
EmulatorUser* Interrupted::user_ = nullptr;

TEST_F(Interrupted, ARunSaysSoWithin100MsAndEndsItsCommands) {
  const auto program = start_endless("slipway-int-1");
  const auto sent = steady_clock::now();
  program->send(SIGINT);
  const std::string before;
  EXPECT_TRUE(program->read_until([](const std::string&, const std::string& err) { return !err.empty(); }));
  // The bar is 100 ms; a machine that runs the whole suite at once gets more, and a hang still shows.
  EXPECT_LT(steady_clock::now() - sent, milliseconds(500));
  const Ended ended = program->wait();
  EXPECT_EQ(ended.code, 128 + SIGINT) << ended.err;
  EXPECT_NE(ended.err.find("4 "), std::string::npos) << "the sum comes all the same: " << ended.err;
  expect_gone("slipway-int-1");
}

TEST_F(Interrupted, SigtermEndsARunTheSameWay) {
  const auto program = start_endless("slipway-int-2");
  program->send(SIGTERM);
  const Ended ended = program->wait();
  EXPECT_EQ(ended.code, 128 + SIGTERM) << ended.err;
  expect_gone("slipway-int-2");
}

TEST_F(Interrupted, AThirdOneKillsWhatIsDeafToTheOthers) {
  auto program = user_->start(
      {"run", "qr", "--command", "trap '' INT TERM; echo started; while :; do read -t 1 < <(:); done"});
  ASSERT_TRUE(program->read_until(
      [](const std::string& out, const std::string&) { return out.find("started") != std::string::npos; }));
  program->send(SIGINT);
  ASSERT_TRUE(program->read_until([](const std::string&, const std::string& err) { return !err.empty(); }));
  const auto sent = steady_clock::now();
  program->send(SIGINT);
  ASSERT_TRUE(program->read_until(
      [](const std::string&, const std::string& err) { return err.find("TERM goes") != std::string::npos; }));
  program->send(SIGINT);
  const Ended ended = program->wait();
  EXPECT_LT(steady_clock::now() - sent, milliseconds(4'000));
  EXPECT_EQ(ended.code, 128 + SIGINT) << ended.err;
}

TEST_F(Interrupted, AKilledClientLeavesNothingRunning) {
  const auto program = start_endless("slipway-int-3");
  program->send(SIGKILL);
  program->wait();
  expect_gone("slipway-int-3");
}

TEST_F(Interrupted, WhatALauncherHasInTheBackgroundEndsWithIt) {
  const auto program =
      start_and_see_started({"run", "qr", "--command", in_background("slipway-int-4", "wait")});
  program->send(SIGINT);
  const Ended ended = program->wait();
  EXPECT_EQ(ended.code, 128 + SIGINT) << ended.err;
  EXPECT_EQ(ended.err.find("lost"), std::string::npos) << ended.err;
  expect_gone("slipway-int-4");
}

TEST_F(Interrupted, WhatALauncherLeftBehindEndsWithItsTimeout) {
  const auto command = "(trap '' TERM; " + in_background("slipway-int-5", "wait") + ") & exec sleep 600";
  const auto program = start_and_see_started({"run", "qr", "--timeout", "2s", "--command", command});
  const Ended ended = program->wait();
  EXPECT_EQ(ended.code, 124) << ended.err;
  EXPECT_EQ(ended.err.find("not seen"), std::string::npos) << ended.err;
  expect_gone("slipway-int-5");
}

TEST_F(Interrupted, WhatALauncherLeftBehindGoesWithAKilledClient) {
  const auto program =
      start_and_see_started({"run", "qr", "--command", in_background("slipway-int-6", "exit 0")});
  program->send(SIGKILL);
  program->wait();
  expect_gone("slipway-int-6");
}

TEST_F(Interrupted, AWaitLeavesTheRequestInTheQueue) {
  ASSERT_EQ(user_
                ->slipway({"create", "later", "--node-count", "100", "--accelerator-type", "v4-16",
                           "--runtime-version", "tpu-ubuntu2204-base"})
                .code,
            0);
  auto program = user_->start({"wait", "later"});
  ASSERT_TRUE(program->read_until(
      [](const std::string&, const std::string& err) { return err.find("later: ") != std::string::npos; }));
  program->send(SIGINT);
  const Ended ended = program->wait();
  EXPECT_EQ(ended.code, 128 + SIGINT) << ended.err;
  EXPECT_NE(ended.err.find("next: slipway wait later"), std::string::npos) << ended.err;
  EXPECT_EQ(user_->slipway({"describe", "later"}).code, 0);
  ASSERT_EQ(user_->slipway({"delete", "later", "--yes", "--force"}).code, 0);
}

TEST_F(Interrupted, WhileItConnectsNothingIsStarted) {
  auto program = user_->start(
      {"run", "qr", "--ssh-port", "9", "--connect-timeout", "60s", "-v", "--command", "touch ~/never"});
  ASSERT_TRUE(program->read_until([](const std::string&, const std::string& err) {
    return err.find("uestAttributes") != std::string::npos;
  }));
  program->send(SIGINT);
  const Ended ended = program->wait();
  EXPECT_EQ(ended.code, 128 + SIGINT) << ended.err;
  EXPECT_EQ(user_->slipway({"run", "qr", "--command", "test ! -e ~/never"}).code, 0);
}

}  // namespace
}  // namespace slipway::test
