#include "cli/curl_settings.h"

#include <gtest/gtest.h>

#include "support/scoped_env.h"
#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

using test::ScopedEnv;

class CurlSettings : public ::testing::Test {
 protected:
  Result<http::CurlOptions> options() {
    Settings settings;
    settings.gcloud = tpu::GcloudConfig::load();
    settings.ca_file = ca_file_;
    return curl_options(settings);
  }
  test::TempFolder folder_;
  std::string ca_file_;
  ScopedEnv config_{"CLOUDSDK_CONFIG", folder_.path()};
  ScopedEnv type_{"CLOUDSDK_PROXY_TYPE", std::nullopt};
  ScopedEnv address_{"CLOUDSDK_PROXY_ADDRESS", std::nullopt};
  ScopedEnv port_{"CLOUDSDK_PROXY_PORT", std::nullopt};
  ScopedEnv rdns_{"CLOUDSDK_PROXY_RDNS", std::nullopt};
  ScopedEnv user_{"CLOUDSDK_PROXY_USERNAME", std::nullopt};
  ScopedEnv password_{"CLOUDSDK_PROXY_PASSWORD", std::nullopt};
  ScopedEnv timeout_{"CLOUDSDK_CORE_HTTP_TIMEOUT", std::nullopt};
};

TEST_F(CurlSettings, WithoutSettingsTheEnvironmentsProxyCounts) {
  EXPECT_EQ(options()->proxy.url, "");
  EXPECT_EQ(options()->longest_try.count(), 0);
}

TEST_F(CurlSettings, EachKindOfGcloudsProxyIsFollowed) {
  const ScopedEnv address("CLOUDSDK_PROXY_ADDRESS", "proxy.corp");
  const ScopedEnv port("CLOUDSDK_PROXY_PORT", "3128");
  const std::pair<const char*, const char*> kinds[] = {{"http", "http://proxy.corp:3128"},
                                                       {"http_no_tunnel", "http://proxy.corp:3128"},
                                                       {"socks4", "socks4a://proxy.corp:3128"},
                                                       {"socks5", "socks5h://proxy.corp:3128"}};
  for (const auto& [kind, url] : kinds) {
    const ScopedEnv type("CLOUDSDK_PROXY_TYPE", kind);
    EXPECT_EQ(options()->proxy.url, url);
  }
  const ScopedEnv type("CLOUDSDK_PROXY_TYPE", "socks5");
  const ScopedEnv rdns("CLOUDSDK_PROXY_RDNS", "False");
  const ScopedEnv user("CLOUDSDK_PROXY_USERNAME", "me");
  const ScopedEnv password("CLOUDSDK_PROXY_PASSWORD", "pass-word");
  EXPECT_EQ(options()->proxy.url, "socks5://proxy.corp:3128");
  EXPECT_EQ(options()->proxy.username, "me");
  EXPECT_EQ(options()->proxy.password.reveal(), "pass-word");
}

TEST_F(CurlSettings, AProxyByHalvesAndValuesThatAreNoneAreRefused) {
  const ScopedEnv address("CLOUDSDK_PROXY_ADDRESS", "proxy.corp");
  EXPECT_EQ(options().error().code(), ErrorCode::kUsage);
  EXPECT_EQ(options().error().message(), "gcloud's proxy is set by halves");
  const ScopedEnv port("CLOUDSDK_PROXY_PORT", "70000");
  const ScopedEnv type("CLOUDSDK_PROXY_TYPE", "http");
  EXPECT_EQ(options().error().next(), "gcloud config unset proxy/port");
  const ScopedEnv right_port("CLOUDSDK_PROXY_PORT", "80");
  const ScopedEnv odd_type("CLOUDSDK_PROXY_TYPE", "carrier pigeon");
  EXPECT_NE(options().error().why().find("socks5"), std::string::npos);
}

TEST_F(CurlSettings, TheTimeoutIsSecondsAndTheCertificatesMustBeThere) {
  const ScopedEnv timeout("CLOUDSDK_CORE_HTTP_TIMEOUT", "20");
  EXPECT_EQ(options()->longest_try, std::chrono::seconds(20));
  ca_file_ = folder_ / "none.pem";
  EXPECT_EQ(options().error().code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace slipway::cli
