#include "cli/command_line.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "slipway/core/file.h"
#include "support/scoped_env.h"
#include "support/string_output.h"
#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

/// The real commands, parsed and not run, with no settings file of this machine.
Result<CommandLine::Parsed> parse(CommandLine& line, const std::vector<std::string>& words) {
  const test::ScopedEnv no_file("SLIPWAY_CONFIG", "/dev/null");
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

TEST(CommandLine, WhatARunTellsItsCommandsIsNoFlagOfAnInnerSlipway) {
  const test::ScopedEnv worker("SLIPWAY_WORKER", "3");
  CommandLine line;
  ASSERT_TRUE(parse(line, {"run", "q", "--command", "true"}).ok());
  const auto states = line.explain("run");
  for (const FlagState& state : *states) {
    if (state.flag == "worker") {
      EXPECT_EQ(state.origin, "");
    }
  }
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

TEST(CommandLine, AnEmptyValueBehindAnEqualsSignTakesNoOtherWord) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"create", "q", "--description=", "--dry-run"},
        {"create", "--description=", "--dry-run", "q"},
        {"create", "q", "--description", "", "--dry-run"},
        {"create", "q", "--labels=", "--tags=", "--dry-run"}}) {
    CommandLine line;
    const auto parsed = parse(line, words);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message();
    EXPECT_EQ(line.global().dry_run, "request");
  }
}

TEST(CommandLine, AnEmptyValueIsNotTakenForNotSaid) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"delete", "q", "--project", ""},
                                                {"delete", "q", "--project="},
                                                {"delete", "q", "--zone="},
                                                {"list", "--account", ""},
                                                {"run", "q", "--command", "c", "--node", ""},
                                                {"sweep", "--older-than="},
                                                {"run", "q", "--env=", "--command", "c"}}) {
    const Error error = refusal(words);
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << words.back();
    EXPECT_NE(error.message().find(" is empty"), std::string::npos) << error.message();
  }
  const test::ScopedEnv zone("SLIPWAY_ZONE", "");
  CommandLine line;
  EXPECT_TRUE(parse(line, {"list", "--filter="}).ok()) << "an empty variable says nothing";
}

TEST(CommandLine, ASwitchHasNothingBehindItsEqualsSign) {
  EXPECT_EQ(refusal({"delete", "q", "--yes="}).message(), "delete: --yes has no value behind its '='");
  EXPECT_EQ(refusal({"delete", "q", "--dry-run="}).code(), ErrorCode::kUsage);
  EXPECT_EQ(refusal({"delete", "q", "-y="}).code(), ErrorCode::kUsage);
}

TEST(CommandLine, AFlagIsNotTheValueOfTheFlagBeforeIt) {
  const Error error = refusal({"create", "q", "--description", "--dry-run"});
  EXPECT_EQ(error.message(), "create: --description has no value: the next word is --dry-run");
  EXPECT_EQ(error.why(), "if that is the value, write --description=--dry-run");
  EXPECT_EQ(refusal({"run", "q", "--command", "--zone=z"}).code(), ErrorCode::kUsage);
  EXPECT_EQ(refusal({"launch", "j", "-f", "--dry-run"}).why(), "if that is the value, write -f--dry-run");
  CommandLine line;
  ASSERT_TRUE(parse(line, {"create", "q", "--description=--dry-run"}).ok());
  EXPECT_EQ(line.global().dry_run, "");
  CommandLine unknown;
  EXPECT_TRUE(parse(unknown, {"run", "q", "--command", "--no-flag-of-ours"}).ok());
}

TEST(CommandLine, WordsBehindDashesKeepTheirEqualsSigns) {
  CommandLine line;
  const auto parsed = parse(line, {"run", "q", "--", "x", "--description=", "--yes=", "--zone", "--dry-run"});
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(parsed->after_dashes,
            (std::vector<std::string>{"x", "--description=", "--yes=", "--zone", "--dry-run"}));
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

TEST(CommandLine, HelpOnATopicThatIsAlsoACommandIsTheTopic) {
  CommandLine line;
  EXPECT_EQ(parse(line, {"help", "config"})->command, "help");
  CommandLine command;
  EXPECT_NE(parse(command, {"help", "config", "explain"})->text.find("Usage: slipway config explain"),
            std::string::npos);
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

TEST(CommandLine, AResourceMayBeCalledLikeACommand) {
  CommandLine line;
  const auto parsed = parse(line, {"describe", "list"});
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(parsed->command, "describe");
  CommandLine group;
  EXPECT_EQ(parse(group, {"config", "explain", "run"})->command, "config explain");
}

TEST(CommandLine, AVariableThatCannotBeTakenIsNamed) {
  const test::ScopedEnv number("SLIPWAY_LIMIT", "many");
  EXPECT_NE(refusal({"list"}).message().find("SLIPWAY_LIMIT: "), std::string::npos);
  const test::ScopedEnv word("SLIPWAY_WAIT", "maybe");
  EXPECT_EQ(refusal({"create", "q"}).message(), "SLIPWAY_WAIT: 'maybe' is not true or false");
}

TEST(CommandLine, AFileFillsInBelowTheEnvironmentAndAboveTheDefault) {
  const test::TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "s.yaml",
                                    "zone: file-zone\nproject: file-project\nformat: json\nbatch-size: 7\n"
                                    "quiet: true\nrun: {env: {A: 1, B: 2}}\n")
                  .ok());
  const test::ScopedEnv zone("SLIPWAY_ZONE", "env-zone");
  CommandLine line;
  add_all_commands(line);
  const auto parsed = line.parse({"run", "q", "--project", "flag-project", "--config", folder / "s.yaml"});
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(line.global().project, "flag-project");
  EXPECT_EQ(line.global().zone, "env-zone");
  EXPECT_EQ(line.global().format, "json");
  EXPECT_TRUE(line.global().quiet);
  EXPECT_EQ(line.global().log_format, "text");

  const auto states = line.explain("run");
  ASSERT_TRUE(states.ok());
  for (const FlagState& state : *states) {
    if (state.flag == "batch-size") {
      EXPECT_EQ(state.value, "7");
      EXPECT_EQ(state.origin, folder / "s.yaml:4:1");
    }
    if (state.flag == "env") {
      EXPECT_EQ(state.value, "A=...,B=...") << "it may carry secrets";
    }
  }
}

TEST(EnvironmentName, IsTheFlagInCapitals) {
  EXPECT_EQ(environment_name("batch-size"), "SLIPWAY_BATCH_SIZE");
}

}  // namespace
}  // namespace slipway::cli
