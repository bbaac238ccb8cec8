#include "slipway/http/url.h"

#include <gtest/gtest.h>

namespace slipway::http {
namespace {

TEST(Url, AnOriginIsTheSchemeTheHostAndThePort) {
  const auto origin = parse_origin("https://TPU.googleapis.com/v2/x?y");
  ASSERT_TRUE(origin.ok());
  EXPECT_EQ(origin.value().host, "tpu.googleapis.com");
  EXPECT_EQ(origin.value().port, 443);
  EXPECT_EQ(parse_origin("http://[::1]:8080/")->host, "::1");
  EXPECT_EQ(parse_origin("http://[::1]:8080/")->port, 8080);
}

TEST(Url, OnlyHttpAndHttpsAreAddressesAndNoneWithAPasswordInside) {
  for (const char* url : {"", "file:///etc/passwd", "ftp://host/", "gopher://host",
                          "https://user:secret@host/", "https://u@h/", "http://", "https://ho st/"}) {
    const auto origin = parse_origin(url);
    ASSERT_FALSE(origin.ok()) << url;
    EXPECT_EQ(origin.error().code(), ErrorCode::kUsage);
    EXPECT_EQ(origin.error().message().find("secret"), std::string::npos);
  }
}

TEST(Url, LoopbackIsAllOf127AndNothingThatLooksLikeIt) {
  for (const char* host : {"127.0.0.1", "127.3.2.1", "::1", "localhost", "LOCALHOST"})
    EXPECT_TRUE(is_loopback_host(host)) << host;
  for (const char* host :
       {"127.0.0.1.evil.test", "128.0.0.1", "localhost.evil.test", "0.0.0.0", "", "10.0.0.1", "::2"}) {
    EXPECT_FALSE(is_loopback_host(host)) << host;
  }
}

TEST(Url, ADomainHoldsItsSubdomainsOnLabelBoundaries) {
  EXPECT_TRUE(is_within_domain("tpu.googleapis.com", "googleapis.com"));
  EXPECT_TRUE(is_within_domain("googleapis.com", "googleapis.com"));
  EXPECT_FALSE(is_within_domain("evilgoogleapis.com", "googleapis.com"));
  EXPECT_FALSE(is_within_domain("googleapis.com.evil.test", "googleapis.com"));
  EXPECT_FALSE(is_within_domain(".googleapis.com", "googleapis.com"));
}

TEST(Url, EncodingKeepsTextInsideItsSegment) {
  EXPECT_EQ(percent_encode("a-b_c.d~9"), "a-b_c.d~9");
  EXPECT_EQ(percent_encode("a/b?c#d%e+f\r\n é"), "a%2Fb%3Fc%23d%25e%2Bf%0D%0A%20%C3%A9");
  EXPECT_EQ(encode_form({{"grant_type", "refresh_token"}, {"refresh_token", "1//rt"}}),
            "grant_type=refresh_token&refresh_token=1%2F%2Frt");
}

}  // namespace
}  // namespace slipway::http
