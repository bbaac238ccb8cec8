#include "emulator/state_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace slipway::emulator {
namespace {

class StateFolderTest : public testing::Test {
 protected:
  StateFolderTest() {
    char name[] = "/tmp/slipway-state-XXXXXX";
    path = std::string(::mkdtemp(name)) + "/state";
  }
  ~StateFolderTest() override { std::filesystem::remove_all(std::filesystem::path(path).parent_path()); }
  std::string path;
};

TEST_F(StateFolderTest, IsForItsOwnerOnly) {
  ASSERT_TRUE(StateFolder::acquire(path).ok());
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
}

TEST_F(StateFolderTest, IsForOneEmulatorAtATime) {
  {
    const auto first = StateFolder::acquire(path);
    ASSERT_TRUE(first.ok());
    const auto second = StateFolder::acquire(path);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code(), ErrorCode::kConflict);
    EXPECT_EQ(server_of(path), ::getpid());
  }
  EXPECT_FALSE(server_of(path).has_value());
  EXPECT_TRUE(StateFolder::acquire(path).ok());
}

TEST_F(StateFolderTest, TellsOthersWhatIsServed) {
  const auto folder = StateFolder::acquire(path);
  ASSERT_TRUE(folder.ok());
  EXPECT_EQ(announcement_of(path).error().code(), ErrorCode::kNotFound);
  ASSERT_TRUE(folder->announce({{{"A", "it's"}, {"B", ""}}, {"a note"}}).ok());
  EXPECT_EQ(announcement_of(path)->exports, (Exports{{"A", "it's"}, {"B", ""}}));
  EXPECT_EQ(announcement_of(path)->notes, std::vector<std::string>{"a note"});
}

TEST_F(StateFolderTest, WhatADeadEmulatorLeftCountsForNothing) {
  {
    const auto folder = StateFolder::acquire(path);
    ASSERT_TRUE(folder->announce({{{"A", "1"}}, {}}).ok());
  }
  EXPECT_EQ(announcement_of(path).error().code(), ErrorCode::kNotFound);
  const auto folder = StateFolder::acquire(path);
  EXPECT_EQ(announcement_of(path).error().code(), ErrorCode::kNotFound);
}

TEST_F(StateFolderTest, StoppingWhatDoesNotRunSaysSo) {
  EXPECT_EQ(stop(path).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(exports_of(path).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(request_log(path).error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace slipway::emulator
