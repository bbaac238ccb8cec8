#include "slipway/core/secret.h"

#include <gtest/gtest.h>

#include <sstream>
#include <type_traits>

namespace slipway {
namespace {

template <typename T, typename = void>
struct Streams : std::false_type {};
template <typename T>
struct Streams<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<T>())>>
    : std::true_type {};

TEST(Secret, CannotBePrintedByAccident) {
  EXPECT_FALSE(Streams<Secret>::value);
  EXPECT_FALSE((std::is_convertible_v<Secret, std::string>));
}

TEST(Secret, IsTakenOutOfText) {
  { const Secret gone("ya29.canary-token"); }
  EXPECT_EQ(redact("Authorization: Bearer ya29.canary-token, again ya29.canary-token"),
            "Authorization: Bearer [redacted], again [redacted]");
}

TEST(Secret, LeavesInnocentTextAlone) {
  const Secret tiny("a");
  EXPECT_EQ(redact("a banana"), "a banana");
}

TEST(Secret, MovesWithoutLeavingACopy) {
  Secret from("first-secret-value");
  const Secret to = std::move(from);
  EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move): that is the promise under test
  EXPECT_EQ(to.reveal(), "first-secret-value");
}

}  // namespace
}  // namespace slipway
