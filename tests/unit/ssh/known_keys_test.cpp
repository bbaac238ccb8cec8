#include "slipway/ssh/known_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "slipway/core/file.h"
#include "support/sshd.h"
#include "support/temp_folder.h"

namespace slipway::test {
namespace {

using ssh::HostKey;
using ssh::KnownKeys;
using ::testing::HasSubstr;

const auto kNothing = [](std::string_view) { return false; };

/// A well-formed ed25519 key of 32 times `letter`.
HostKey key_of(char letter) {
  using namespace std::string_literals;
  return {"ssh-ed25519", "\0\0\0\x0bssh-ed25519\0\0\0\x20"s + std::string(32, letter)};
}

class KnownKeysTest : public ::testing::Test {
 protected:
  KnownKeys load() const {
    auto known = KnownKeys::load(path());
    EXPECT_TRUE(known.ok()) << known.error().message();
    return std::move(known).value();
  }
  std::string path() const { return folder_ / "state/known_hosts"; }
  TempFolder folder_;
};

TEST_F(KnownKeysTest, WhatWasAddedIsFoundAgainByItsAliasAlone) {
  KnownKeys known = load();
  ASSERT_TRUE(known.update({{"p/z/a/1/0", key_of('a')}, {"p/z/a/1/1", key_of('b')}}, kNothing).ok());
  const KnownKeys again = load();
  EXPECT_EQ(again.find("p/z/a/1/0"), (ssh::HostKeyPins{key_of('a')}));
  EXPECT_EQ(again.find("p/z/a/1/1"), (ssh::HostKeyPins{key_of('b')}));
  EXPECT_TRUE(again.find("p/z/a/2/0").empty()) << "another instance is a stranger";
  struct stat status {};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(KnownKeysTest, TwoThatWriteAtOnceLoseNothingOfEachOther) {
  constexpr int kWriters = 8;
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([this, i] {
      KnownKeys known = load();
      EXPECT_TRUE(known.update({{"alias-" + std::to_string(i), key_of('a')}}, kNothing).ok());
    });
  }
  for (std::thread& writer : writers) writer.join();
  const KnownKeys known = load();
  for (int i = 0; i < kWriters; ++i) EXPECT_FALSE(known.find("alias-" + std::to_string(i)).empty()) << i;
}

TEST_F(KnownKeysTest, OutdatedAliasesAreTakenOut) {
  KnownKeys known = load();
  ASSERT_TRUE(known.update({{"a/1/0", key_of('a')}, {"b/1/0", key_of('b')}}, kNothing).ok());
  ASSERT_TRUE(
      known.update({{"a/2/0", key_of('c')}}, [](std::string_view alias) { return alias == "a/1/0"; }).ok());
  EXPECT_TRUE(load().find("a/1/0").empty());
  EXPECT_FALSE(load().find("a/2/0").empty());
  EXPECT_FALSE(load().find("b/1/0").empty());
}

TEST_F(KnownKeysTest, AFileThatOthersMayWriteToIsNotTrusted) {
  KnownKeys known = load();
  ASSERT_TRUE(known.update({{"a", key_of('a')}}, kNothing).ok());
  ::chmod(path().c_str(), 0620);
  const auto refused = KnownKeys::load(path());
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().next(), HasSubstr("chmod 600"));
}

TEST_F(KnownKeysTest, GarbageAndATornLineAreNoKeys) {
  ASSERT_TRUE(make_directories(folder_ / "state").ok());
  ASSERT_TRUE(
      write_file_atomically(path(), "# comment\n\nalias\nalias ssh-ed25519\nalias ssh-ed25519 AAAA", 0600)
          .ok());
  EXPECT_TRUE(load().find("alias").empty());
}

TEST_F(KnownKeysTest, OpensshFindsAMachineInItByTheSameAlias) {
  if (!Sshd::installed()) GTEST_SKIP() << "no ssh-keygen is installed";
  KnownKeys known = load();
  const std::string alias = "example.com:proj/us-central2-b/My_node.1~x+%/4611686018427387906/12";
  ASSERT_TRUE(known.update({{alias, key_of('a')}}, kNothing).ok());
  const std::string find = "ssh-keygen -F '" + alias + "' -f " + path() + " | grep -q ssh-ed25519";
  EXPECT_EQ(std::system(find.c_str()), 0);
}

TEST(KnownKeys, WithoutAPathKeepsNothingAndFailsAtNothing) {
  KnownKeys known = KnownKeys::load("").value();
  EXPECT_TRUE(known.update({{"a", key_of('a')}}, kNothing).ok());
}

}  // namespace
}  // namespace slipway::test
