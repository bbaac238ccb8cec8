#include "emulator/ssh_keys.h"

#include <gtest/gtest.h>

#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr const char* kData = "AAAAC3NzaC1lZDI1NTE5AAAAIMfLFSWdRxKF8gtNegAyNp9PO9E2lEToJBEPzfBIn40j";

std::vector<SshKey> parse(const std::string& text) {
  return parse_ssh_keys(text, *parse_rfc3339("2026-11-20T00:00:00Z"));
}

TEST(SshKeys, AreOneALineWithTheUserInFront) {
  const auto keys =
      parse(std::string("\nroot:ssh-ed25519 ") + kData + " me@host\r\n\n  alice:ssh-rsa " + kData + "\n");
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0].user, "root");
  EXPECT_EQ(keys[0].key, std::string("ssh-ed25519 ") + kData + " me@host");
  EXPECT_EQ(keys[1].user, "alice");
}

TEST(SshKeys, OneUserMayHaveSeveral) {
  const std::string line = std::string("bob:ssh-ed25519 ") + kData + "\n";
  EXPECT_EQ(parse(line + line).size(), 2U);
}

TEST(SshKeys, ThatHaveExpiredAreLeftOut) {
  const std::string front =
      std::string("bob:ssh-rsa ") + kData + R"( google-ssh {"userName":"bob@x.org","expireOn":")";
  EXPECT_TRUE(parse(front + R"(2026-11-19T23:59:59+0000"})").empty());
  EXPECT_EQ(parse(front + R"(2026-11-20T00:00:01+0000"})").size(), 1U);
}

TEST(SshKeys, NamesThatCouldLeaveTheirFolderAreLeftOut) {
  for (const std::string user : {"", "../x", "a/b", "-x", ".", "..", "a:b", "a b", "a\tb",
                                 "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"}) {
    EXPECT_TRUE(parse(user + ":ssh-ed25519 " + kData).empty()) << user;
  }
}

TEST(SshKeys, LinesThatAreNoKeysAreLeftOut) {
  for (const std::string line :
       {"root", "root:", "root:ssh-ed25519", "root:ssh-ed25519 !!!!", "root:command=\"x\" ssh-rsa AAAA"}) {
    EXPECT_TRUE(parse(line).empty()) << line;
  }
}

}  // namespace
}  // namespace slipway::emulator
