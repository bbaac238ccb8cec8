// Which host keys are believed: published ones, ones that were seen before, and a stranger's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HostKeys : public ::testing::Test {
 protected:
  HostKeys() { user_.create_ready("qr", 1); }

  Ended run(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run", "qr", "--command", "echo ok"};
    words.insert(words.end(), more.begin(), more.end());
    return user_.slipway(words);
  }
  /// From now on nobody learns what the workers published.
  void hide_attributes() {
    ASSERT_EQ(user_
                  .slipway({"emulator", "fault", "add", "--path", "getGuestAttributes", "--times", "0",
                            "--status", "403"})
                  .code,
              0);
  }
  std::string store() const { return user_.home() / ".local/state/slipway/known_hosts"; }
  std::string stored() const { return read_file(store()).value(); }

  EmulatorUser user_;
};

TEST_F(HostKeys, ThatAreNotPublishedAreSaidOnceWithTheirFingerprintAndThenKept) {
  hide_attributes();
  const Ended first = run();
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("first contact with qr-0/0"));
  EXPECT_THAT(first.err, HasSubstr("ssh-ed25519 SHA256:"));
  struct stat status {};
  ASSERT_EQ(::stat(store().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_THAT(stored(), Not(HasSubstr("127."))) << "an address says nothing of a machine";

  const Ended second = run({"--host-keys", "strict"});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_THAT(second.err, Not(HasSubstr("first contact")));
}

TEST_F(HostKeys, OfStrangersAreRefusedWhenStrict) {
  hide_attributes();
  const Ended ended = run({"--host-keys", "strict"});
  EXPECT_EQ(ended.code, 4) << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_FALSE(file_exists(store()));
}

TEST_F(HostKeys, ThatArePublishedNeedNoWordsAndStayKnownWhenTheApiFallsSilent) {
  const Ended first = run({"--host-keys", "strict"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, Not(HasSubstr("first contact")));
  hide_attributes();
  EXPECT_EQ(run({"--host-keys", "strict"}).code, 0);
}

TEST_F(HostKeys, AnotherKeyOfTheSameInstanceIsRefusedAndTheWayOutIsNamed) {
  ASSERT_EQ(run().code, 0);
  // As if the machine had shown another key yesterday.
  std::string lines;
  for (const std::string& line : split(stored(), '\n')) {
    if (line.empty()) continue;
    lines += line.substr(0, line.find(' ')) +
             " ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh\n";
  }
  ASSERT_TRUE(write_file_atomically(store(), lines, 0600).ok());
  for (const char* mode : {"pinned", "accept-new", "strict"}) {
    const Ended ended = run({"--host-keys", mode});
    EXPECT_EQ(ended.code, 4) << mode << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("ssh-keygen -R"));
  }
  const Ended mended = user_.shell("for a in $(cut -d' ' -f1 " + store() + "); do ssh-keygen -R $a -f " +
                                   store() + "; done; slipway run qr --command true");
  EXPECT_EQ(mended.code, 0) << mended.err;
}

TEST_F(HostKeys, AfterARepairThePublishedKeysOfTheNewInstanceCount) {
  ASSERT_EQ(run().code, 0);
  const std::string before = stored();
  ASSERT_EQ(user_.slipway({"emulator", "preempt", "qr", "--notice", "0"}).code, 0);
  ASSERT_EQ(user_.slipway({"emulator", "repair", "qr"}).code, 0);
  ASSERT_EQ(user_.slipway({"wait", "qr", "--for", "READY", "--timeout", "60s"}).code, 0);
  const Ended after = run({"--host-keys", "strict"});
  EXPECT_EQ(after.code, 0) << after.err;
  EXPECT_NE(stored(), before);
  EXPECT_EQ(split(stored(), '\n').size(), split(before, '\n').size()) << "the old instance is forgotten";
}

TEST_F(HostKeys, AcceptNewAsksTheApiForNone) {
  const std::size_t before = user_.count_requests("POST", "getGuestAttributes");
  const Ended ended = run({"--host-keys", "accept-new"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("first contact"));
  EXPECT_EQ(user_.count_requests("POST", "getGuestAttributes"), before);
}

TEST_F(HostKeys, WithoutAHomeThatCanBeWrittenTheRunGoesOn) {
  user_.environment["XDG_STATE_HOME"] = "/proc/nothing";
  const Ended ended = run();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("are not kept"));
}

TEST_F(HostKeys, AModeThatIsNoneIsNamedBeforeAnythingIsContacted) {
  const Ended ended = run({"--host-keys", "strct"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("strict"));
}

}  // namespace
}  // namespace slipway::test
