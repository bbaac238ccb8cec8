#include <gtest/gtest.h>

#include "cli/commands/run.h"
#include "slipway/core/file.h"

namespace slipway::cli {
namespace {

RunOptions with_command(const std::string& command) {
  RunOptions options;
  options.command = command;
  return options;
}

TEST(RemoteCommand, IsTakenByteForByte) {
  EXPECT_EQ(remote_command(with_command("echo \"$HOME\"  'x'\n")).value().text, "echo \"$HOME\"  'x'\n");
}

TEST(RemoteCommand, WordsBehindDashesAreQuotedOneByOne) {
  RunOptions options;
  options.argv = {"echo", "a b", "$HOME"};
  EXPECT_EQ(remote_command(options).value().text, "echo 'a b' '$HOME'");
}

TEST(RemoteCommand, AScriptIsAFileOfItsOwn) {
  const std::string path = ::testing::TempDir() + "slipway-remote-command.sh";
  ASSERT_TRUE(write_file_atomically(path, "#!/bin/sh\necho\n").ok());
  RunOptions options;
  options.script = path;
  const ssh::RemoteCommand command = remote_command(options).value();
  EXPECT_EQ(command.kind, ssh::RemoteCommand::Kind::kScript);
  EXPECT_EQ(command.text, "#!/bin/sh\necho\n");
}

TEST(RemoteCommand, MustBeSaidExactlyOnce) {
  EXPECT_EQ(remote_command(RunOptions()).error().code(), ErrorCode::kUsage);
  RunOptions both = with_command("true");
  both.argv = {"true"};
  EXPECT_EQ(remote_command(both).error().code(), ErrorCode::kUsage);
  RunOptions missing;
  missing.script = "/no/such/script";
  EXPECT_EQ(remote_command(missing).error().code(), ErrorCode::kUsage);
}

TEST(RemoteCommand, TakesVariablesWithAnyValue) {
  RunOptions options = with_command("true");
  options.environment = {"A=1=2", "_b="};
  const auto environment = remote_command(options).value().environment;
  EXPECT_EQ(environment, (std::vector<std::pair<std::string, std::string>>{{"A", "1=2"}, {"_b", ""}}));
  for (const char* bad : {"A", "=1", "1A=x", "A-B=x", "A B=x"}) {
    options.environment = {bad};
    EXPECT_FALSE(remote_command(options).ok()) << bad;
  }
}

TEST(RemoteCommand, NoKillLeavesTheWatchdogOut) {
  RunOptions options = with_command("true");
  EXPECT_TRUE(remote_command(options).value().kill_on_disconnect);
  options.no_kill = true;
  EXPECT_FALSE(remote_command(options).value().kill_on_disconnect);
}

}  // namespace
}  // namespace slipway::cli
