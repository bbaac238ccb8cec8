#include "cli/exit_code.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace slipway::cli {
namespace {

using Kind = fleet::OutcomeKind;

int code_of(const std::vector<Kind>& kinds, std::size_t required) {
  std::vector<fleet::Outcome> outcomes;
  for (const Kind kind : kinds) {
    fleet::Outcome outcome;
    outcome.kind = kind;
    outcomes.push_back(outcome);
  }
  return exit_code(outcomes, required);
}

TEST(ExitCode, IsTheContractsForEveryError) {
  const std::pair<ErrorCode, int> table[] = {
      {ErrorCode::kFailed, 1},     {ErrorCode::kUsage, 2},       {ErrorCode::kCommandFailed, 3},
      {ErrorCode::kDenied, 4},     {ErrorCode::kNotFound, 5},    {ErrorCode::kConflict, 6},
      {ErrorCode::kImpossible, 7}, {ErrorCode::kUnavailable, 8}, {ErrorCode::kQuota, 9},
      {ErrorCode::kLocal, 10},     {ErrorCode::kTimeout, 124},
  };
  for (const auto& [code, number] : table) EXPECT_EQ(exit_code(Error(code, "")), number);
  EXPECT_EQ(exit_code(Error::interrupted(SIGINT, "")), 130);
  EXPECT_EQ(exit_code(Error::interrupted(SIGTERM, "")), 143);
}

TEST(ExitCode, OfARunIsZeroOnlyWhenEnoughWereSeenToEndOk) {
  EXPECT_EQ(code_of({Kind::kOk, Kind::kOk}, 2), 0);
  EXPECT_EQ(code_of({Kind::kOk, Kind::kLost}, 2), 8) << "lost is never success";
  EXPECT_EQ(code_of({Kind::kOk, Kind::kLost}, 1), 0) << "--require any";
  EXPECT_EQ(code_of({}, 1), 1);
}

TEST(ExitCode, OfARunIsTheMostSeriousOfItsOutcomes) {
  EXPECT_EQ(code_of({Kind::kOk, Kind::kExit}, 2), 3);
  EXPECT_EQ(code_of({Kind::kSignal, Kind::kOk}, 2), 3);
  EXPECT_EQ(code_of({Kind::kExit, Kind::kUnreachable}, 2), 8);
  EXPECT_EQ(code_of({Kind::kExit, Kind::kTimeout}, 2), 124);
  EXPECT_EQ(code_of({Kind::kTimeout, Kind::kLost}, 2), 8);
  EXPECT_EQ(code_of({Kind::kUnreachable, Kind::kHostKey, Kind::kExit}, 3), 4);
  EXPECT_EQ(code_of({Kind::kAuth, Kind::kNotStarted}, 2), 4);
  EXPECT_EQ(code_of({Kind::kUnreachable, Kind::kNotStarted}, 2), 8);
}

TEST(ExitCode, NoRequirementExcusesAWrongHostKey) {
  EXPECT_EQ(code_of({Kind::kOk, Kind::kHostKey}, 1), 4);
  EXPECT_EQ(code_of({Kind::kOk, Kind::kAuth}, 1), 0);
}

TEST(ExitCode, LocalTroubleStandsBetweenDeniedAndUnavailable) {
  EXPECT_EQ(more_serious(8, 10), 10);
  EXPECT_EQ(more_serious(10, 3), 10);
  EXPECT_EQ(more_serious(4, 10), 4);
  EXPECT_EQ(more_serious(0, 10), 10);
}

}  // namespace
}  // namespace slipway::cli
