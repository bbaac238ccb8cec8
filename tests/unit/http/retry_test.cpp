#include "slipway/http/retry.h"

#include <gtest/gtest.h>

#include "support/fake_transport.h"

namespace slipway::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const auto kNow =
    std::chrono::system_clock::time_point(seconds(1'795'161'600));  // Fri, 20 Nov 2026 08:00:00 GMT

Result<Response> status(int number, const std::string& body = "") {
  return test::answer(number, body).response;
}

TEST(Retry, HelpsAfterABusyOrBrokenServerAndALostConnection) {
  for (const int number : {408, 429, 500, 502, 503, 504, 522})
    EXPECT_TRUE(is_retryable(status(number))) << number;
  EXPECT_TRUE(is_retryable(test::lost().response));
}

TEST(Retry, DoesNotHelpAgainstARefusal) {
  for (const int number : {200, 302, 400, 401, 403, 404, 409, 412})
    EXPECT_FALSE(is_retryable(status(number))) << number;
  EXPECT_FALSE(is_retryable(Error(ErrorCode::kFailed, "too large")));
  EXPECT_FALSE(is_retryable(Error(ErrorCode::kDenied, "another certificate")));
  EXPECT_FALSE(is_retryable(Error(ErrorCode::kInterrupted, "stop")));
}

TEST(Retry, TheDelayIsFullJitterUnderADoublingCeiling) {
  const Backoff highest({milliseconds(500), milliseconds(30'000)}, [] { return 1.0; });
  EXPECT_EQ(highest.delay(1, {}), milliseconds(500));
  EXPECT_EQ(highest.delay(2, {}), milliseconds(1'000));
  EXPECT_EQ(highest.delay(7, {}), milliseconds(30'000));
  EXPECT_EQ(highest.delay(1'000'000, {}), milliseconds(30'000));
  const Backoff lowest({milliseconds(500), milliseconds(30'000)}, [] { return 0.0; });
  EXPECT_EQ(lowest.delay(5, {}), milliseconds(0));
}

TEST(Retry, TheServersWordIsTheShortestDelay) {
  const Backoff backoff({milliseconds(500), milliseconds(30'000)}, [] { return 0.5; });
  EXPECT_EQ(backoff.delay(1, seconds(7)), milliseconds(7'250));
}

TEST(Retry, RetryAfterIsSecondsOrADate) {
  EXPECT_EQ(parse_retry_after("120", kNow), seconds(120));
  EXPECT_EQ(parse_retry_after(" 0 ", kNow), seconds(0));
  EXPECT_EQ(parse_retry_after("Fri, 20 Nov 2026 08:01:30 GMT", kNow), seconds(90));
}

TEST(Retry, ARetryAfterThatMakesNoSenseIsNone) {
  for (const char* text :
       {"", "-5", "soon", "1.5", "12 parsecs", "99999999999999999999", "Fri, 20 Nov 2026 07:00:00 GMT",
        "Fri, 20 Nov 2226 07:00:00 GMT", "20 Nov 2026", "1e9", "86401"}) {
    EXPECT_FALSE(parse_retry_after(text, kNow).has_value()) << text;
  }
}

}  // namespace
}  // namespace slipway::http
