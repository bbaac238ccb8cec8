#include "slipway/core/file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace slipway {
namespace {

class File : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }
  test::TempFolder folder_;
};

TEST_F(File, IsReplacedWholeAndLeavesNoOther) {
  ASSERT_TRUE(write_file_atomically(path("f"), "one", 0600).ok());
  ASSERT_TRUE(write_file_atomically(path("f"), "two", 0600).ok());
  EXPECT_EQ(read_file(path("f")).value(), "two");
  struct stat status {};
  ASSERT_EQ(::stat(path("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(File, ThatCannotBeWrittenIsALocalErrorWithItsName) {
  const auto result = write_file_atomically(path("no/such/f"), "x");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kLocal);
  EXPECT_NE(result.error().message().find("no/such/f"), std::string::npos);
}

TEST_F(File, ThatIsMissingOrTooLargeIsAUsageError) {
  EXPECT_EQ(read_file(path("none")).error().code(), ErrorCode::kUsage);
  ASSERT_TRUE(write_file_atomically(path("f"), "12345").ok());
  EXPECT_TRUE(read_file(path("f"), 5).ok());
  EXPECT_FALSE(read_file(path("f"), 4).ok());
  EXPECT_FALSE(read_file(folder_.path()).ok()) << "a folder";
}

TEST_F(File, FoldersAreMadeWithTheirParents) {
  ASSERT_TRUE(make_directories(path("a/b/c"), 0700).ok());
  EXPECT_TRUE(make_directories(path("a/b/c"), 0700).ok()) << "a second time";
  ASSERT_TRUE(write_file_atomically(path("f"), "").ok());
  EXPECT_FALSE(make_directories(path("f")).ok());
}

TEST_F(File, TheStateFolderFollowsXdg) {
  ::setenv("XDG_STATE_HOME", "/xdg", 1);
  EXPECT_EQ(state_directory(), "/xdg/slipway");
  ::setenv("XDG_STATE_HOME", "relative", 1);
  ::setenv("HOME", "/home/x", 1);
  EXPECT_EQ(state_directory(), "/home/x/.local/state/slipway");
}

}  // namespace
}  // namespace slipway
