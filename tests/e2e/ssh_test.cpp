// ssh: one shell through the system's own ssh, and OS Login on the way there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "support/ssh_agent.h"

namespace slipway::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Ssh : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = new EmulatorUser();
    user_->create_ready("qr", 2);
  }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }
  void SetUp() override {
    if (!file_exists("/usr/bin/ssh")) GTEST_SKIP() << "no OpenSSH client is installed";
  }

  static EmulatorUser* user_;
};
EmulatorUser* Ssh::user_ = nullptr;

TEST_F(Ssh, RunsOnTheOneWorkerAndPassesItsExitCodeThrough) {
  const Ended ended = user_->slipway({"ssh", "qr", "--node", "1", "--worker", "1", "--", "hostname; exit 7"});
  EXPECT_EQ(ended.code, 7) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("-w-1"));
  const Ended fine = user_->slipway({"ssh", "node:qr-0", "--command", "echo \"$HOME\" $((1+1))"});
  EXPECT_EQ(fine.code, 0) << fine.err;
  EXPECT_THAT(fine.out, HasSubstr(" 2\n"));
}

TEST_F(Ssh, HasATerminalWhereThereIsOne) {
  const Ended ended = user_->shell("printf 'tty; exit 3\\n' | script -qec 'slipway ssh qr' /dev/null");
  EXPECT_EQ(ended.code, 3) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("/dev/pts/"));
}

TEST_F(Ssh, ShowsItsLineWithoutMakingOrTellingAnybodyAnything) {
  const std::size_t patches = user_->count_requests("PATCH", "nodes");
  Program::Environment environment = user_->environment;
  user_->environment.erase("SLIPWAY_SSH_KEY");
  const Ended ended = user_->slipway({"ssh", "qr", "--dry-run", "--", "-L", "1:localhost:1"});
  user_->environment = environment;
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("HostKeyAlias=emulator-project/us-central2-b/qr-0/"));
  EXPECT_THAT(ended.out, HasSubstr("StrictHostKeyChecking=yes"));
  EXPECT_THAT(ended.out, HasSubstr("-L 1:localhost:1"));
  EXPECT_EQ(user_->count_requests("PATCH", "nodes"), patches);
  EXPECT_FALSE(file_exists(user_->home() / ".ssh/slipway_ed25519"));
}

TEST_F(Ssh, TheLineOfADryRunCanBePasted) {
  const std::vector<std::string> words{"ssh", "qr", "--worker", "1", "--", "hostname; exit 9"};
  std::vector<std::string> dry = words;
  dry.insert(dry.begin() + 1, "--dry-run");
  const Ended line = user_->slipway(dry);
  ASSERT_EQ(line.code, 0) << line.err;
  const Ended pasted = user_->shell(line.out);
  EXPECT_EQ(pasted.code, 9) << line.out << pasted.err;
  EXPECT_EQ(pasted.out, user_->slipway(words).out);
}

TEST_F(Ssh, HearsCtrlCAndTheSizeOfTheWindowAsSshDoes) {
  const Ended size = user_->shell(
      "printf 'stty size; exit 0\\n' | script -qec 'stty rows 37 cols 91; slipway ssh qr' /dev/null");
  EXPECT_EQ(size.code, 0) << size.out;
  EXPECT_THAT(size.out, HasSubstr("37 91"));
  ASSERT_TRUE(write_file_atomically(user_->home() / "type", R"(
seen() { until grep -q "$1" screen; do sleep 0.02; done; }
: > screen
(
  printf '%s\n' "sh -c 'trap \"echo he\"\"ard; exit 9\" INT; echo rea\"\"dy; sleep 600'"
  seen ready
  printf '\003'
  seen heard
  printf 'exit 5\n'
) | script -qefc 'slipway ssh qr' screen
)",
                                    0600)
                  .ok());
  const Ended interrupted = user_->shell("sh type");
  EXPECT_EQ(interrupted.code, 5) << interrupted.out;
  EXPECT_THAT(interrupted.out, HasSubstr("ready"));
}

TEST_F(Ssh, OneCommandIsEnough) {
  EXPECT_EQ(user_->slipway({"ssh", "qr", "--command", "exit 9", "--", "ls"}).code, 2);
  EXPECT_EQ(user_->slipway({"ssh", "qr", "--command", "exit 9", "--", "-p", "1", "ls"}).code, 2);
  EXPECT_EQ(user_->slipway({"ssh", "qr", "--command", "exit 9", "--", "-o", "LogLevel=ERROR", "-T"}).code, 9);
}

TEST_F(Ssh, IsForOneWorker) {
  const Ended ended = user_->slipway({"ssh", "qr", "--worker", "all"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("slipway run"));
}

TEST_F(Ssh, AWorkerThatShowsAnotherKeyIsRefused) {
  // What the API published of one worker is given out for another: as if somebody had taken its address.
  ASSERT_EQ(user_->slipway({"ssh", "qr", "--", "true"}).code, 0);
  const Ended dry = user_->slipway({"ssh", "qr", "--dry-run"});
  const std::string begin = "HostKeyAlias=";
  const std::size_t at = dry.out.find(begin) + begin.size();
  const std::string alias = dry.out.substr(at, dry.out.find(' ', at) - at);
  const std::string store = user_->home() / ".local/state/slipway/known_hosts";
  ASSERT_TRUE(
      write_file_atomically(
          store,
          alias + " ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh\n", 0600)
          .ok());
  const Ended ended = user_->slipway({"ssh", "qr", "--", "echo reached"});
  EXPECT_EQ(ended.code, 255) << "ssh's own code";
  EXPECT_THAT(ended.out, Not(HasSubstr("reached")));
  ASSERT_TRUE(write_file_atomically(store, "", 0600).ok());
}

TEST_F(Ssh, AnUnpublishedKeyIsSaidOnceAndPinnedForSsh) {
  user_->create_ready("quiet", 1);
  const Ended first = user_->slipway({"ssh", "quiet", "--host-keys", "accept-new", "--", "echo in"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("first contact with quiet-0/0"));
  const Ended second = user_->slipway({"ssh", "quiet", "--host-keys", "accept-new", "--", "echo in"});
  EXPECT_EQ(second.out, "in\n");
  EXPECT_THAT(second.err, Not(HasSubstr("first contact")));
}

TEST_F(Ssh, AWorkerThatMustBeToldOfTheKeyLetsItInAfterwards) {
  ASSERT_EQ(user_->shell("ssh-keygen -q -t ed25519 -N '' -f " + (user_->home() / "another")).code, 0);
  const Ended ended =
      user_->slipway({"ssh", "bob@qr", "--ssh-key", user_->home() / "another", "--", "whoami"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("adding your ssh key for 'bob'"));
}

TEST_F(Ssh, AKeyWithAPassphraseIsOpenedByItsFileOrTheAgentAndNobodyIsAsked) {
  const std::string key = user_->home() / "locked";
  ASSERT_EQ(user_
                ->shell("ssh-keygen -q -t ed25519 -N 'open sesame' -f " + key +
                        "; umask 077; echo 'open sesame' > phrase")
                .code,
            0);
  const Ended by_file = user_->slipway(
      {"ssh", "carol@qr", "--ssh-key", key, "--ssh-key-passphrase-file", "phrase", "--", "echo in; exit 3"});
  EXPECT_EQ(by_file.code, 3) << by_file.err;
  EXPECT_EQ(by_file.out, "in\n");
  if (!SshAgent::installed()) GTEST_SKIP() << "no ssh-agent is installed";
  const SshAgent agent;
  ASSERT_EQ(user_
                ->shell("printf '#!/bin/sh\\necho open sesame\\n' > ask; chmod 700 ask; SSH_ASKPASS=$PWD/ask "
                        "SSH_ASKPASS_REQUIRE=force SSH_AUTH_SOCK=" +
                        agent.path() + " ssh-add -q " + key)
                .code,
            0);
  user_->environment["SSH_AUTH_SOCK"] = agent.path();
  const Ended held = user_->slipway({"ssh", "dave@qr", "--ssh-key", key, "--", "exit 4"});
  const Ended only =
      user_->slipway({"ssh", "dave@qr", "--ssh-key", key + ".pub", "--ssh-agent", "--", "exit 5"});
  user_->environment.erase("SSH_AUTH_SOCK");
  EXPECT_EQ(held.code, 4) << held.err;
  EXPECT_EQ(only.code, 5) << only.err;
}

TEST_F(Ssh, WithOsLoginTheAccountsKeyLetsInAsTheAccountsUser) {
  const Ended created = user_->slipway({"create", "secured", "--node-id", "secured-0", "--accelerator-type",
                                        "v4-16", "--runtime-version", "tpu-ubuntu2204-base", "--metadata",
                                        "enable-oslogin=TRUE", "--wait"});
  ASSERT_EQ(created.code, 0) << created.err;
  ASSERT_EQ(user_->slipway({"wait", "secured", "--for", "READY", "--timeout", "60s"}).code, 0);
  const Ended nobody = user_->slipway({"run", "secured", "--command", "whoami"});
  EXPECT_EQ(nobody.code, 2);
  EXPECT_THAT(nobody.err, HasSubstr("--account"));
  user_->environment["CLOUDSDK_CORE_ACCOUNT"] = "dev@example.com";
  const Ended run = user_->slipway({"run", "secured", "--command", "echo as $LOGNAME"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("OS Login profile of dev@example.com"));
  EXPECT_THAT(run.out, HasSubstr("secured-0/1: as dev_example_com"));
  const Ended shell = user_->slipway({"ssh", "secured", "--", "echo again"});
  EXPECT_EQ(shell.code, 0) << shell.err;
  EXPECT_THAT(shell.err, Not(HasSubstr("OS Login profile")));
  user_->environment.erase("CLOUDSDK_CORE_ACCOUNT");
}

}  // namespace
}  // namespace slipway::test
