// Which key a user logs in with: a file, one with a passphrase, an agent's, or one that is made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "support/ssh_agent.h"

namespace slipway::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SshKey : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = new EmulatorUser();
    user_->create_ready("qr", 1);
  }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }
  void SetUp() override {
    original_ = user_->environment;
    user_->environment.erase("SLIPWAY_SSH_KEY");
  }
  void TearDown() override { user_->environment = original_; }

  /// A key at `name` with the passphrase "open sesame".
  static std::string locked_key(const std::string& name) {
    const std::string path = user_->home() / name;
    EXPECT_EQ(user_->shell("ssh-keygen -q -t ed25519 -a 2 -N 'open sesame' -f " + path).code, 0);
    return path;
  }
  static Ended run(const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "qr", "--command", "echo ok"};
    words.insert(words.end(), more.begin(), more.end());
    return user_->slipway(words);
  }

  static EmulatorUser* user_;
  Program::Environment original_;
};
EmulatorUser* SshKey::user_ = nullptr;

TEST_F(SshKey, IsMadeOnceWhereThereIsNone) {
  const Ended dry = run({"--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  const std::string path = user_->home() / ".ssh/slipway_ed25519";
  EXPECT_FALSE(file_exists(path)) << "a dry run makes nothing";
  const Ended first = run({});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr(path));
  const std::string made = read_file(path).value();
  const Ended second = run({});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_THAT(second.err, Not(HasSubstr("made an ssh key")));
  EXPECT_EQ(read_file(path).value(), made);
}

TEST_F(SshKey, WithAPassphraseOpensWithItsFile) {
  const std::string key = locked_key("locked");
  const std::string file = user_->home() / "passphrase";
  ASSERT_TRUE(write_file_atomically(file, "open sesame\n", 0600).ok());
  const Ended ended = run({"--ssh-key", key, "--ssh-key-passphrase-file", file});
  EXPECT_EQ(ended.code, 0) << ended.err;
  ASSERT_TRUE(write_file_atomically(file, "open barley\n", 0600).ok());
  const Ended wrong = run({"--ssh-key", key, "--ssh-key-passphrase-file", file});
  EXPECT_EQ(wrong.code, 2) << wrong.err;
  EXPECT_THAT(wrong.err, HasSubstr("wrong"));
  ASSERT_TRUE(write_file_atomically(file, "open sesame\n", 0644).ok());
  const Ended open = run({"--ssh-key", key, "--ssh-key-passphrase-file", file});
  EXPECT_EQ(open.code, 2);
  EXPECT_THAT(open.err, HasSubstr("chmod 600"));
}

TEST_F(SshKey, WithAPassphraseIsAskedForOnTheTerminalWithoutEcho) {
  const std::string key = locked_key("asked");
  // What is typed before the question is thrown away, as it should be: so it is waited for.
  const Ended ended = user_->shell(
      "cd " + user_->home().path() +
      " && mkfifo typed && : >shown && { script -qec 'slipway run qr --color never --command \"echo done\" "
      "--ssh-key " +
      key +
      "' /dev/null <typed >shown & } && exec 3>typed && until grep -q Passphrase shown; do :; done && printf "
      "'open sesame\\n' >&3 && wait $! && cat shown");
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("Passphrase of '" + key + "'"));
  EXPECT_THAT(ended.out, HasSubstr("qr-0/1: done"));
}

TEST_F(SshKey, WithAPassphraseAndNobodyToAskIsAUsageError) {
  const Ended ended = user_->shell("setsid slipway run qr --command true --ssh-key " + locked_key("alone"));
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("--ssh-key-passphrase-file"));
}

TEST_F(SshKey, ThatTheAgentHoldsNeedsNoPassphrase) {
  if (!SshAgent::installed()) GTEST_SKIP() << "no ssh-agent is installed";
  const SshAgent agent;
  const std::string key = locked_key("held");
  ASSERT_EQ(user_
                ->shell("cp " + key + " " + key + "-open && ssh-keygen -q -p -P 'open sesame' -N '' -f " +
                        key + "-open")
                .code,
            0);
  agent.add(key + "-open");
  user_->environment["SSH_AUTH_SOCK"] = agent.path();
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--ssh-key", key}, {"--ssh-key", key + ".pub"}, {"--ssh-agent", "--ssh-key", key}}) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.code, 0) << words[0] << ended.err;
  }
}

TEST_F(SshKey, ThatTheAgentDoesNotHoldIsNamed) {
  if (!SshAgent::installed()) GTEST_SKIP() << "no ssh-agent is installed";
  const SshAgent agent;
  user_->environment["SSH_AUTH_SOCK"] = agent.path();
  const std::string key = locked_key("not-held");
  const Ended ended = run({"--ssh-agent", "--ssh-key", key});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("ssh-add " + key));
  user_->environment.erase("SSH_AUTH_SOCK");
  EXPECT_EQ(run({"--ssh-agent"}).code, 2);
}

}  // namespace
}  // namespace slipway::test
