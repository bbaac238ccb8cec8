// Where the words of every command go: closed and full ways out, colour.
#include <gtest/gtest.h>

#include "e2e/slipway_user.h"

namespace slipway::test {
namespace {

TEST(Output, AClosedStdoutIsNotSuccess) {
  const Ended ended = SlipwayUser().shell("slipway help exit-codes >&-");
  EXPECT_EQ(ended.code, 10);
  EXPECT_NE(ended.err.find("it was closed before slipway started"), std::string::npos) << ended.err;
}

TEST(Output, AFullDiskUnderStdoutIsNotSuccess) {
  EXPECT_EQ(SlipwayUser().shell("slipway help exit-codes >/dev/full").code, 10);
}

TEST(Output, AColorIsAutoAlwaysOrNever) {
  const Ended ended = SlipwayUser().slipway({"config", "explain", "--color", "allways"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("--color: there is no 'allways'"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace slipway::test
