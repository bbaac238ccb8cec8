#include "cli/ssh_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

SshWords call() {
  SshWords words;
  words.user = "alice";
  words.address = "10.0.0.2";
  words.key_path = "/home/alice/.ssh/key";
  words.alias = "p/z/n/1/0";
  words.pins = {{"ssh-ed25519", "blob"}, {"ssh-rsa", "blob"}};
  words.known_hosts = "/state/known_hosts";
  return words;
}

TEST(SshWords, BelieveThePinsUnderTheMachinesOwnNameAndNothingElse) {
  EXPECT_THAT(to_words(call()),
              IsSupersetOf({"HostKeyAlias=p/z/n/1/0", "UserKnownHostsFile=/state/known_hosts",
                            "GlobalKnownHostsFile=/dev/null", "StrictHostKeyChecking=yes", "CheckHostIP=no",
                            "HostKeyAlgorithms=ssh-ed25519,rsa-sha2-512,rsa-sha2-256"}));
  EXPECT_EQ(known_hosts_text("a", call().pins), "a ssh-ed25519 YmxvYg==\na ssh-rsa YmxvYg==\n");
}

TEST(SshWords, AStrangerIsAcceptedOnlyWhereThatIsAllowed) {
  SshWords stranger = call();
  stranger.pins.clear();
  EXPECT_THAT(to_words(stranger), Contains("StrictHostKeyChecking=yes"));
  stranger.accept_new = true;
  EXPECT_THAT(to_words(stranger), Contains("StrictHostKeyChecking=accept-new"));
}

TEST(SshWords, PathsSurviveSshsOwnReading) {
  SshWords words = call();
  words.known_hosts = "/a b/50%";
  EXPECT_THAT(to_words(words), Contains("UserKnownHostsFile=\"/a b/50%%\""));
}

TEST(SshWords, WordsOfTheUserComeLastAndAnAgentNeedsNoFile) {
  SshWords words = call();
  words.more = {"-L", "1:localhost:1"};
  words.key_path.clear();
  const std::vector<std::string> line = to_words(words);
  EXPECT_EQ((std::vector<std::string>(line.end() - 3, line.end())),
            (std::vector<std::string>{"alice@10.0.0.2", "-L", "1:localhost:1"}));
  EXPECT_THAT(line, Not(Contains("IdentitiesOnly=yes")));
}

}  // namespace
}  // namespace slipway::cli
