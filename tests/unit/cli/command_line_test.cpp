#include "cli/command_line.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "support/string_output.h"

namespace slipway::cli {
namespace {

/// The real commands, parsed and not run.
Result<CommandLine::Parsed> parse(CommandLine& line, const std::vector<std::string>& words) {
  add_all_commands(line);
  return line.parse(words);
}

Error refusal(const std::vector<std::string>& words) {
  CommandLine line;
  Result<CommandLine::Parsed> parsed = parse(line, words);
  if (parsed.ok()) return Error(ErrorCode::kFailed, "it was taken");
  return std::move(parsed).error();
}

TEST(CommandLine, AnswersAnUnknownCommandWithTheNearest) {
  const Error error = refusal({"creat", "q"});
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_EQ(error.message(), "there is no command 'creat'");
  EXPECT_EQ(error.why(), "did you mean 'create'?");
}

TEST(CommandLine, AnswersAnUnknownFlagWithTheNearest) {
  EXPECT_EQ(refusal({"run", "q", "--comand=x"}).why(), "did you mean '--command'?");
  EXPECT_EQ(refusal({"list", "--zoen", "z"}).why(), "did you mean '--zone'?");
  EXPECT_EQ(refusal({"emulator", "strat"}).why(), "did you mean 'start'?");
}

TEST(CommandLine, RefusesAWordTooMany) {
  EXPECT_EQ(refusal({"describe", "a", "b"}).message(), "describe: 'b' is one word too many");
}

TEST(CommandLine, WithoutACommandSaysWhichThereAre) {
  EXPECT_EQ(refusal({}).code(), ErrorCode::kUsage);
  EXPECT_NE(refusal({}).why().find("create"), std::string::npos);
  EXPECT_NE(refusal({"emulator"}).message().find("start"), std::string::npos);
}

TEST(CommandLine, FlagsThatHoldEverywhereStandOnEitherSide) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--project", "p", "list"},
                                                {"list", "--project", "p"},
                                                {"list", "--project=p"}}) {
    CommandLine line;
    ASSERT_TRUE(parse(line, words).ok());
    EXPECT_EQ(line.global().project, "p");
  }
}

TEST(CommandLine, TheEnvironmentFillsInAndTheFlagWins) {
  ::setenv("SLIPWAY_ZONE", "env-zone", 1);
  {
    CommandLine line;
    ASSERT_TRUE(parse(line, {"list"}).ok());
    EXPECT_EQ(line.global().zone, "env-zone");
  }
  CommandLine line;
  ASSERT_TRUE(parse(line, {"list", "--zone", "flag-zone"}).ok());
  EXPECT_EQ(line.global().zone, "flag-zone");
  ::unsetenv("SLIPWAY_ZONE");
}

TEST(CommandLine, TheLastOfAFlagGivenTwiceCounts) {
  CommandLine line;
  ASSERT_TRUE(parse(line, {"list", "--zone", "a", "--zone", "b"}).ok());
  EXPECT_EQ(line.global().zone, "b");
}

TEST(CommandLine, WordsBehindDashesAreTheRemoteCommandAndNothingElse) {
  CommandLine line;
  const auto parsed = parse(line, {"run", "q", "--node", "0", "--", "ls", "--help", "--", "-la"});
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(parsed->command, "run");
  EXPECT_EQ(parsed->after_dashes, (std::vector<std::string>{"ls", "--help", "--", "-la"}));
}

TEST(CommandLine, DryRunTakesItsKindOnlyWithAnEqualsSign) {
  CommandLine line;
  ASSERT_TRUE(parse(line, {"delete", "--dry-run", "q"}).ok());
  EXPECT_EQ(line.global().dry_run, "request");
  CommandLine other;
  ASSERT_TRUE(parse(other, {"delete", "--dry-run=curl", "q"}).ok());
  EXPECT_EQ(other.global().dry_run, "curl");
}

TEST(CommandLine, HelpAndVersionAreTextForStdout) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                {"run", "--help"},
                                                {"run", "q", "-h"},
                                                {"emulator", "start", "--help"}}) {
    CommandLine line;
    const auto parsed = parse(line, words);
    ASSERT_TRUE(parsed.ok());
    EXPECT_FALSE(parsed->action);
    EXPECT_NE(parsed->text.find("Usage: slipway"), std::string::npos);
    EXPECT_NE(parsed->text.find("Examples:"), std::string::npos);
  }
  CommandLine line;
  EXPECT_EQ(parse(line, {"--version"})->text.rfind("slipway ", 0), 0U);
}

TEST(CommandLine, HelpOnACommandIsItsHelp) {
  CommandLine line;
  EXPECT_NE(parse(line, {"help", "run"})->text.find("Usage: slipway run QR"), std::string::npos);
  CommandLine other;
  EXPECT_TRUE(parse(other, {"help", "exit-codes"})->action);
}

TEST(CommandLine, EveryEmulatorCommandHasAStateFolderOfItsOwn) {
  ::setenv("SLIPWAY_EMULATOR_STATE", "/from/the/environment", 1);
  CommandLine line;
  const auto parsed = parse(line, {"emulator", "env", "--state-dir", "/from/the/flag"});
  ::unsetenv("SLIPWAY_EMULATOR_STATE");
  test::StringStreams streams;
  Interrupt interrupt;
  SystemClock clock;
  Services services{streams.streams, clock, interrupt};
  const Result<int> ran = parsed->action(services, line.global());
  ASSERT_FALSE(ran.ok());
  EXPECT_NE(ran.error().message().find("/from/the/flag"), std::string::npos) << ran.error().message();
}

TEST(CommandLine, ANumberThatIsNoneIsAUsageError) {
  EXPECT_EQ(refusal({"create", "q", "--node-count", "four"}).code(), ErrorCode::kUsage);
  EXPECT_EQ(refusal({"emulator", "start", "--port", "70000"}).code(), ErrorCode::kUsage);
}

TEST(EnvironmentName, IsTheFlagInCapitals) {
  EXPECT_EQ(environment_name("batch-size"), "SLIPWAY_BATCH_SIZE");
}

}  // namespace
}  // namespace slipway::cli
