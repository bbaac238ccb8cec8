#include <gtest/gtest.h>

#include "support/fake_transport.h"
#include "tpu/api_error.h"

namespace slipway::tpu {
namespace {

Result<http::Response> status(int number, const std::string& body) {
  return test::answer(number, body).response;
}

TEST(Retry, AQuotaStaysRefusedButARateLimitPasses) {
  const std::string quota =
      R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"p","description":"TPUS"}]}]}})";
  const std::string rate =
      R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED"}]}})";
  EXPECT_FALSE(is_retryable(status(429, quota)));
  EXPECT_TRUE(is_retryable(status(429, rate)));
}

TEST(Retry, HelpsWhereHttpSaysSo) {
  EXPECT_TRUE(is_retryable(status(503, "")));
  EXPECT_FALSE(is_retryable(status(403, "")));
  EXPECT_TRUE(is_retryable(test::lost().response));
}

}  // namespace
}  // namespace slipway::tpu
