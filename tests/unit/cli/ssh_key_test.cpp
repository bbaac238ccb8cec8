#include "cli/ssh_key.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

TEST(SshUser, IsTheGivenOneOrTheLoginName) {
  EXPECT_EQ(ssh_user("alice").value(), "alice");
  EXPECT_FALSE(ssh_user("").value().empty());
  for (const char* bad : {"-oProxyCommand=x", "a b", "a;b", "a\nb", "$(x)"}) {
    EXPECT_EQ(ssh_user(bad).error().code(), ErrorCode::kUsage) << bad;
  }
  EXPECT_FALSE(ssh_user(std::string(65, 'a')).ok());
}

TEST(SshKey, DefaultsToGclouds) {
  ::setenv("HOME", "/home/x", 1);
  EXPECT_EQ(ssh_key_path(""), "/home/x/.ssh/google_compute_engine");
  EXPECT_EQ(ssh_key_path("/k"), "/k");
}

TEST(SshKey, IsFoundInTheMetadataByUserAndWholeKey) {
  const std::string key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh";
  const std::string line = metadata_key_line("alice", key);

  EXPECT_TRUE(has_metadata_key("bob:ssh-rsa AAAA bob\n" + line, "alice", key));
  EXPECT_TRUE(has_metadata_key("alice:" + key, "alice", key)) << "without a comment";
  EXPECT_FALSE(has_metadata_key(line, "bob", key));
  EXPECT_FALSE(has_metadata_key(line.substr(0, line.size() - 12), "alice", key)) << "a part of a key";
  EXPECT_FALSE(has_metadata_key("", "alice", key));
}

TEST(SshUser, InFrontOfTheNameIsTakenAsGcloudTakesIt) {
  ReachOptions reach;
  std::string word = "bob@train-1";
  take_user_of(word, reach);
  EXPECT_EQ(word, "train-1");
  EXPECT_EQ(reach.user, "bob");
  word = "carol@train-1";
  take_user_of(word, reach);
  EXPECT_EQ(reach.user, "bob") << "--user is said louder";
}

}  // namespace
}  // namespace slipway::cli
