#include "slipway/http/trusted_hosts.h"

#include <gtest/gtest.h>

namespace slipway::http {
namespace {

TEST(TrustedHosts, AreGooglesByTheLabelLoopbackAndWhatTheUserNames) {
  for (const char* url :
       {"https://googleapis.com/", "https://sts.googleapis.com/x", "https://STS.GoogleAPIs.com/x",
        "http://127.0.0.1:5/x", "http://[::1]:5/", "http://localhost:5/", "https://own.example/x"}) {
    EXPECT_TRUE(check_trusted(url, {"own.example"}).ok()) << url;
  }
  for (const char* url :
       {"https://evil.test/", "https://xgoogleapis.com/", "https://googleapis.com.evil.test/",
        "http://googleapis.com/", "http://own.example/", "https://sub.own.example/",
        "https://169.254.169.254/", "ftp://googleapis.com/", "", "https://googleapis.com@evil.test/",
        "https://evil.test#googleapis.com", "https://evil.test\\.googleapis.com/"}) {
    EXPECT_FALSE(check_trusted(url, {"own.example"}).ok()) << url;
  }
}

}  // namespace
}  // namespace slipway::http
