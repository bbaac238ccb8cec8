#include "slipway/core/secret.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdlib>
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

TEST(Secret, IsTakenOutAsAFormOrAJsonStringCarriesItToo) {
  const Secret key("-----BEGIN\nab/c+d==\nEND");
  EXPECT_EQ(redact("key=-----BEGIN%0Aab%2Fc%2Bd%3D%3D%0AEND&x"), "key=[redacted]&x");
  EXPECT_EQ(redact("{\"k\":\"-----BEGIN\\nab/c+d==\\nEND\"}"), "{\"k\":\"[redacted]\"}");
}

TEST(Secret, ThatBeginsWithAnotherOneLeavesNoRest) {
  const Secret beginning("ya29.begin");
  const Secret whole("ya29.begin-and-end");
  EXPECT_EQ(redact("a ya29.begin-and-end z"), "a [redacted] z");
}

TEST(Secret, SwitchesCoreDumpsOffForThisProcessAndOnlyForIt) {
  const Secret held("ya29.something");
  EXPECT_EQ(::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_CORE, &limit), 0);
  EXPECT_EQ(limit.rlim_cur, 0u);
  // What it starts may have them again: the hard limit stands.
  EXPECT_EQ(std::system("ulimit -S -c \"$(ulimit -H -c)\""), 0);
}

TEST(Secret, ACopyReplacesWhatWasThere) {
  Secret first("first-secret-value");
  const Secret second("second");
  first = second;
  EXPECT_EQ(first.reveal(), "second");
  EXPECT_EQ(second.reveal(), "second");
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
