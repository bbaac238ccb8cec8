#include "report/line_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipway::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(LineDiff, NamesWhatIsGoneAndWhatIsNew) {
  EXPECT_THAT(
      line_diff("a\nb\nc\nd\ne\nf\nx\ny\nz\n", "a\nB\nc\nd\nf\nx\ny\nz\ng\n"),
      Optional(ElementsAre("@@ line 2 @@", "- b", "+ B", "@@ line 5 @@", "- e", "@@ line 10 @@", "+ g")));
}

TEST(LineDiff, ATextThatIsLongerAtItsEnd) {
  EXPECT_THAT(line_diff("a\nb\nc\n", "a\nb\nc\nd\n"), Optional(ElementsAre("@@ line 4 @@", "+ d")));
}

TEST(LineDiff, OnlyTheLastNewlineDiffers) { EXPECT_THAT(line_diff("a\nb\n", "a\nb"), Optional(IsEmpty())); }

TEST(LineDiff, IsNothingWhenTheTextItselfIsShorter) {
  EXPECT_EQ(line_diff("a\nb\n", "x\ny\n"), std::nullopt);
  EXPECT_EQ(line_diff("a\n", ""), std::nullopt);
}

TEST(LineDiff, AVeryLongStretchIsReplacedAsAWhole) {
  std::string before;
  std::string after;
  for (int i = 0; i < 10'000; ++i) before += "common\n", after += "common\n";
  for (int i = 0; i < 3'000; ++i) before += std::to_string(i) + "\n", after += std::to_string(-i - 1) + "\n";
  before += "end\n", after += "end\n";
  const auto lines = line_diff(before, after);
  ASSERT_TRUE(lines);
  EXPECT_EQ(lines->size(), 6'001U);
  EXPECT_EQ(lines->front(), "@@ line 10001 @@");
}

}  // namespace
}  // namespace slipway::report
