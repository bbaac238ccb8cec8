// kill -9 at every step of create and delete, and answers that are lost: the same command again ends with
// exactly one queued resource, or none, and says only what is true.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <set>

#include "e2e/slipway_user.h"

namespace slipway::test {
namespace {

/// What can be the last thing that a process did: each step to the disk and each to the network.
constexpr const char* kSteps[] = {"fsync", "rename", "unlink", "sendto", "recvfrom"};
constexpr int kMostSteps = 40;

/// A zone without room: requests wait, and no worker has to boot.
class Killed : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { user_ = new EmulatorUser({"--provision-delay", "20ms", "--capacity", "1"}); }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }
  void SetUp() override {
    const Ended traced = run_program({"strace", "-qq", "-o", "/dev/null", "true"}, user_->environment);
    if (traced.code != 0) GTEST_SKIP() << "strace cannot run here: " << traced.err;
  }

  static std::vector<std::string> create(const std::string& id) {
    return {"create", id, "--node-id", id, "--accelerator-type", "v4-8"};
  }
  static std::vector<std::string> remove(const std::string& id) { return {"delete", id, "--yes"}; }

  /// Runs slipway and kills it when it is about to do `step` for the n-th time. False when it ended before.
  static bool killed_at(const std::string& step, int n, const std::vector<std::string>& words) {
    std::vector<std::string> all{"strace",
                                 "-f",
                                 "-qq",
                                 "-o",
                                 "/dev/null",
                                 "-e",
                                 "trace=" + step,
                                 "-e",
                                 "inject=" + step + ":signal=SIGKILL:when=" + std::to_string(n),
                                 SLIPWAY_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    Program::Environment environment = user_->environment;
    environment["ASAN_OPTIONS"] =
        "detect_leaks=0";  // it traces the process itself, which strace does already
    const Ended ended = run_program(all, environment);
    EXPECT_FALSE(ended.hung);
    if (ended.signal == SIGKILL) return true;
    EXPECT_EQ(ended.code, 0) << step << " " << n << ": " << ended.err;
    return false;
  }

  static std::size_t count(const std::string& id) {
    const Ended listed = user_->slipway({"list", "--format", "value"});
    EXPECT_EQ(listed.code, 0) << listed.err;
    std::size_t found = 0;
    for (std::size_t at = 0; (at = listed.out.find(id + "\t", at)) != std::string::npos; ++at) ++found;
    return found;
  }
  static bool journal_is_empty() {
    return user_->shell("! find \"$HOME/.local/state/slipway/requests\" -name '*.json' | grep .").code == 0;
  }
  /// Somebody else, with a home of his own.
  static Ended other_user(const std::vector<std::string>& words) {
    SlipwayUser other;
    const std::string home = other.environment["HOME"];
    other.environment = user_->environment;
    other.environment["HOME"] = home;
    return other.slipway(words);
  }

  static EmulatorUser* user_;
};
EmulatorUser* Killed::user_ = nullptr;

/// One test for each kind of step, so that they run side by side and each ends well within a test's time.
class KilledAt : public Killed, public ::testing::WithParamInterface<const char*> {};

TEST_P(KilledAt, ACreateIsFinishedByTheSameCommand) {
  const std::string step = GetParam();
  int n = 1;
  for (bool killed = true; killed && n <= kMostSteps; ++n) {
    const std::string id = "c-" + step + "-" + std::to_string(n);
    killed = killed_at(step, n, create(id));
    if (killed) {
      const Ended again = user_->slipway(create(id));
      EXPECT_EQ(again.code, 0) << step << " " << n << ": " << again.err;
    }
    EXPECT_EQ(count(id), 1u) << step << " " << n;
    EXPECT_TRUE(journal_is_empty()) << step << " " << n;
    EXPECT_EQ(user_->slipway(remove(id)).code, 0);
  }
  EXPECT_GT(n, 2) << "the test has lost its subject: a create does no " << step;
  EXPECT_LE(n, kMostSteps) << "not every " << step << " was reached";
}

TEST_P(KilledAt, ADeleteIsFinishedByTheSameCommand) {
  const std::string step = GetParam();
  int n = 1;
  for (bool killed = true; killed && n <= kMostSteps; ++n) {
    const std::string id = "d-" + step + "-" + std::to_string(n);
    ASSERT_EQ(user_->slipway(create(id)).code, 0);
    killed = killed_at(step, n, remove(id));
    if (killed) {
      const Ended again = user_->slipway(remove(id));
      EXPECT_EQ(again.code, 0) << step << " " << n << ": " << again.err;
    }
    EXPECT_EQ(count(id), 0u) << step << " " << n;
    EXPECT_TRUE(journal_is_empty()) << step << " " << n;
  }
  EXPECT_GT(n, 2) << "the test has lost its subject: a delete does no " << step;
  EXPECT_LE(n, kMostSteps) << "not every " << step << " was reached";
}

INSTANTIATE_TEST_SUITE_P(EachStep, KilledAt, ::testing::ValuesIn(kSteps),
                         [](const auto& step) { return std::string(step.param); });

TEST_F(Killed, ASuccessThatIsOverIsNotSaidAgain) {
  // The create was done, and nobody wrote down that its end was seen.
  ASSERT_TRUE(killed_at("unlink", 1, create("over")));
  ASSERT_EQ(count("over"), 1u);
  ASSERT_EQ(other_user(remove("over")).code, 0);
  const Ended again = user_->slipway(create("over"));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("it is gone since: asking anew"), std::string::npos) << again.err;
  EXPECT_EQ(count("over"), 1u);
  EXPECT_EQ(user_->slipway(remove("over")).code, 0);
}

TEST_F(Killed, AnotherOneOfTheSameNameIsNotDeletedByTheSameCommand) {
  ASSERT_EQ(user_->slipway(create("mine")).code, 0);
  ASSERT_TRUE(killed_at("unlink", 1, remove("mine"))) << "it is gone, and nobody wrote that down";
  ASSERT_EQ(count("mine"), 0u);
  ASSERT_EQ(other_user(create("mine")).code, 0);
  const Ended again = user_->slipway(remove("mine"));
  EXPECT_EQ(again.code, 6) << again.err;
  EXPECT_EQ(count("mine"), 1u);
  EXPECT_EQ(user_->slipway(remove("mine")).code, 0) << "now it is this one that is meant";
}

TEST_F(Killed, ALostAnswerIsAskedForAgainWithTheSameId) {
  ASSERT_EQ(user_
                ->slipway({"emulator", "fault", "add", "--method", "POST", "--path", "queuedResources",
                           "--lost-answer"})
                .code,
            0);
  const Ended created = user_->slipway(create("lost"));
  EXPECT_EQ(created.code, 0) << created.err;
  EXPECT_EQ(count("lost"), 1u);
  ASSERT_EQ(user_->slipway({"emulator", "fault", "add", "--method", "DELETE", "--lost-answer"}).code, 0);
  const Ended deleted = user_->slipway(remove("lost"));
  EXPECT_EQ(deleted.code, 0) << deleted.err;
  EXPECT_EQ(count("lost"), 0u);
  user_->slipway({"emulator", "fault", "clear"});
}

TEST_F(Killed, TwoThatCreateTheSameIfItDoesNotExistBothSucceed) {
  for (const std::string& id : {std::string("twin-1"), std::string("twin-2"), std::string("twin-3")}) {
    std::vector<std::string> words = create(id);
    words.emplace_back("--if-not-exists");
    const auto one = user_->start(words);
    const auto two = user_->start(words);
    const Ended first = one->wait();
    const Ended second = two->wait();
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(count(id), 1u);
  }
}

TEST_F(Killed, TwoUsersWhoCreateTheSameIfItDoesNotExistBothSucceed) {
  std::vector<std::string> words = create("shared");
  words.emplace_back("--if-not-exists");
  const auto one = user_->start(words);
  const Ended second = other_user(words);
  const Ended first = one->wait();
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(count("shared"), 1u);
}

}  // namespace
}  // namespace slipway::test
