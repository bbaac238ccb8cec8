#include "cli/project_trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "cli/command_line.h"
#include "slipway/core/file.h"
#include "support/scoped_env.h"
#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

namespace fs = std::filesystem;

/// Every long flag of every command but --config, which no file can set.
std::set<std::string> all_flags() {
  const test::ScopedEnv no_file("SLIPWAY_CONFIG", "/dev/null");
  CommandLine line;
  add_all_commands(line);
  EXPECT_TRUE(line.parse({"config", "explain"}).ok());
  std::vector<std::string> commands = line.command_names();
  commands.emplace_back("");
  std::set<std::string> flags;
  for (const std::string& command : commands) {
    const auto states = line.explain(command);
    EXPECT_TRUE(states.ok());
    for (const FlagState& state : *states) flags.insert(state.flag);
  }
  flags.erase("config");
  return flags;
}

TEST(ProjectTrust, WhatIsClosedIsWhatTheHelpSays) {
  std::set<std::string> closed;
  for (const std::string& flag : all_flags()) {
    if (!project_may_set(flag)) closed.insert(flag);
  }
  // A new flag lands here until it is decided: add it to kOpen in project_trust.cpp, or here and to `help
  // config`.
  EXPECT_THAT(closed, ::testing::ElementsAre(
                          "access-token-file", "account", "allow-host", "body", "ca-file", "endpoint",
                          "env-file", "events", "file", "force", "from-file", "host-keys", "iap-url",
                          "impersonate-service-account", "jump", "junit", "log-file", "metadata-from-file",
                          "output-dir", "over-job", "proxy-command", "recreate", "replace", "ssh-agent",
                          "ssh-key", "ssh-key-passphrase-file", "state-dir", "stdin", "yes"));
}

class ProjectPath : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "p/bin");
    ASSERT_TRUE(write_file_atomically(folder_ / "p/bin/start.sh", "true").ok());
    ASSERT_TRUE(write_file_atomically(folder_ / "secret", "s").ok());
  }

  std::string path(const std::string& word) const {
    const Result<std::string> found = project_path(folder_ / "p/", word);
    return found.ok() ? *found : found.error().message();
  }

  test::TempFolder folder_;
  const std::string base_ = fs::canonical(folder_.path()).string() + "/p";
};

TEST_F(ProjectPath, BeginsAtTheFolderOfTheFile) {
  EXPECT_EQ(path("bin/start.sh"), base_ + "/bin/start.sh");
  EXPECT_EQ(path("./bin/../bin/start.sh"), base_ + "/bin/start.sh");
  EXPECT_EQ(path("not-there.sh"), base_ + "/not-there.sh");
  EXPECT_EQ(path("gs://b/code.tar.gz"), "gs://b/code.tar.gz");
}

TEST_F(ProjectPath, DoesNotLeaveIt) {
  EXPECT_EQ(path("../secret"), "'../secret' is outside of the project");
  EXPECT_EQ(path(folder_ / "secret"), "'" + (folder_ / "secret") + "' is outside of the project");
  fs::create_symlink(folder_ / "secret", folder_ / "p/link");
  EXPECT_EQ(path("link"), "'link' is outside of the project");
  fs::create_directory_symlink(folder_.path(), folder_ / "p/up");
  EXPECT_EQ(path("up/secret"), "'up/secret' is outside of the project");
  EXPECT_EQ(path("../p-other/x"), "'../p-other/x' is outside of the project");
}

TEST_F(ProjectPath, TakesNothingHiddenAndNoRepository) {
  EXPECT_EQ(path(".env"), "'.env' is hidden");
  EXPECT_EQ(path("bin/.git/config"), "'bin/.git/config' is hidden");
  EXPECT_EQ(path("git+https://host/private@main"), "a project's file cannot name a repository");
}

}  // namespace
}  // namespace slipway::cli
