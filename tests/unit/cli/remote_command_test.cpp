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

TEST(RemoteCommand, TakesVariablesFromAFileBeforeThoseOfTheCommandLine) {
  const std::string path = ::testing::TempDir() + "slipway-env-file";
  ASSERT_TRUE(write_file_atomically(path, "# ours\n\nA=from file\r\nB= x#y \n").ok());
  RunOptions options = with_command("true");
  options.env_file = path;
  options.environment = {"A=typed"};
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(remote_command(options).value().environment,
            (Pairs{{"A", "from file"}, {"B", " x#y "}, {"A", "typed"}}));
  ASSERT_TRUE(write_file_atomically(path, "A=1\nnonsense\n").ok());
  EXPECT_NE(remote_command(options).error().message().find(path + ":2"), std::string::npos);
}

TEST(CommandInput, IsAFileWithEveryByte) {
  const std::string path = ::testing::TempDir() + "slipway-input";
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(write_file_atomically(path, bytes).ok());
  RunOptions options = with_command("cat");
  EXPECT_EQ(command_input(options).value(), "");
  options.stdin_file = path;
  EXPECT_EQ(command_input(options).value(), bytes);
  options.stdin_file = "/no/such/input";
  EXPECT_EQ(command_input(options).error().code(), ErrorCode::kUsage);
}

TEST(CommandInput, OneStandardInputIsNotForBothScriptAndInput) {
  RunOptions options;
  options.script = options.stdin_file = "-";
  EXPECT_EQ(command_input(options).error().code(), ErrorCode::kUsage);
}

TEST(RunLimits, AreReadAsNumbersAndTimes) {
  fleet::FanOutOptions options;
  RunLimits limits;
  ASSERT_TRUE(apply(limits, options).ok());
  EXPECT_EQ(options.max_starting, std::nullopt);
  EXPECT_EQ(options.limits.silence, std::chrono::seconds(45));
  limits.batch_size = "7";
  limits.keepalive = "2s";
  limits.timeout = "1h";
  limits.fail_fast = true;
  ASSERT_TRUE(apply(limits, options).ok());
  EXPECT_EQ(options.max_starting, 7u);
  EXPECT_EQ(options.limits.silence, std::chrono::seconds(6));
  EXPECT_EQ(options.timeout, std::chrono::hours(1));
  EXPECT_TRUE(options.fail_fast);
  limits.batch_size = "all";
  ASSERT_TRUE(apply(limits, options).ok());
  EXPECT_EQ(options.max_starting, 4'096u);
}

TEST(RunLimits, RefuseWhatTheyAreNot) {
  fleet::FanOutOptions options;
  for (const char* size : {"0", "-1", "many", "1x", ""}) {
    RunLimits limits;
    limits.batch_size = size;
    EXPECT_EQ(apply(limits, options).error().code(), ErrorCode::kUsage) << size;
  }
  RunLimits limits;
  limits.keepalive = "10ms";
  EXPECT_EQ(apply(limits, options).error().code(), ErrorCode::kUsage);
  limits = {};
  limits.timeout = "0";
  EXPECT_EQ(apply(limits, options).error().code(), ErrorCode::kUsage);
}

TEST(RemoteCommand, NoKillLeavesTheWatchdogOut) {
  RunOptions options = with_command("true");
  EXPECT_TRUE(remote_command(options).value().kill_on_disconnect);
  options.no_kill = true;
  EXPECT_FALSE(remote_command(options).value().kill_on_disconnect);
}

}  // namespace
}  // namespace slipway::cli
