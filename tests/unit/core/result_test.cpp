#include "slipway/core/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace slipway {
namespace {

Result<int> parse_positive(int number) {
  if (number <= 0)
    return Error(ErrorCode::kUsage, "not positive").why("it is " + std::to_string(number)).next("try 1");
  return number;
}

Result<std::string> twice(int number) {
  TRY(const int parsed, parse_positive(number));
  TRY(parse_positive(parsed));
  return std::to_string(parsed * 2);
}

Result<std::unique_ptr<int>> boxed(int number) {
  TRY(const int parsed, parse_positive(number));
  return std::make_unique<int>(parsed);
}

TEST(Result, TryHandsTheValueOn) {
  EXPECT_EQ(twice(4).value(), "8");
  EXPECT_EQ(*boxed(4).value(), 4);
}

TEST(Result, TryLeavesWithTheWholeError) {
  const Result<std::string> result = twice(-3);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kUsage);
  EXPECT_EQ(result.error().message(), "not positive");
  EXPECT_EQ(result.error().why(), "it is -3");
  EXPECT_EQ(result.error().next(), "try 1");
}

TEST(Result, WithinSaysWhatWasBeingDone) {
  EXPECT_EQ(Error(ErrorCode::kLocal, "disk full").within("run.json").message(), "run.json: disk full");
}

TEST(Result, SystemErrorHasErrnosWords) {
  EXPECT_EQ(system_error(ErrorCode::kLocal, "cannot open 'x'", ENOENT).message(),
            "cannot open 'x': No such file or directory");
}

}  // namespace
}  // namespace slipway
