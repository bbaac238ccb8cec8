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
  const test::TempFolder folder;
  const std::string path = folder / "key";
  ASSERT_EQ(std::system(("ssh-keygen -q -t ed25519 -N '' -f " + path).c_str()), 0);
  const ssh::Identity identity = ssh::Identity::load(path).value();
  const std::string line = metadata_key_line("alice", identity);

  EXPECT_TRUE(has_metadata_key("bob:ssh-rsa AAAA bob\n" + line, "alice", identity));
  EXPECT_TRUE(has_metadata_key("alice:" + identity.public_line(), "alice", identity)) << "without a comment";
  EXPECT_FALSE(has_metadata_key(line, "bob", identity));
  EXPECT_FALSE(has_metadata_key(line.substr(0, line.size() - 12), "alice", identity)) << "a part of a key";
  EXPECT_FALSE(has_metadata_key("", "alice", identity));
}

}  // namespace
}  // namespace slipway::cli
