#include "slipway/http/transport.h"

#include <gtest/gtest.h>

namespace slipway::http {
namespace {

TEST(Response, FindsAHeaderByItsLowerCaseName) {
  Response response;
  response.headers["retry-after"] = "3";
  EXPECT_EQ(response.header("retry-after"), "3");
  EXPECT_EQ(response.header("etag"), "");
}

}  // namespace
}  // namespace slipway::http
