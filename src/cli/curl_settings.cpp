#include "cli/curl_settings.h"

#include <charconv>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// gcloud's own limit for a port and for a number of seconds.
constexpr int kMostPort = 65'535;
constexpr int kMostSeconds = 86'400;

std::string property(const Settings& settings, std::string_view section, std::string_view name) {
  const auto found = settings.gcloud.property(section, name);
  return found ? found->value : "";
}

Error unusable(std::string_view property, const std::string& value, const std::string& why) {
  return Error(ErrorCode::kUsage, fmt::format("gcloud's {} is '{}'", property, printable(value)))
      .why(why)
      .next(fmt::format("gcloud config unset {}", property));
}

Result<int> number(const Settings& settings, std::string_view section, std::string_view name, int most) {
  const std::string text = property(settings, section, name);
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size() && value > 0 && value <= most) return value;
  return unusable(fmt::format("{}/{}", section, name), text,
                  fmt::format("it must be a number from 1 to {}", most));
}

/// libcurl's scheme for gcloud's proxy/type; names are resolved by the proxy unless proxy/rdns says no.
Result<std::string> scheme_of(const Settings& settings) {
  const std::string type = property(settings, "proxy", "type");
  const std::string rdns = to_lower(property(settings, "proxy", "rdns"));
  const bool resolved_here = rdns == "false" || rdns == "0" || rdns == "off" || rdns == "no";
  if (type == "http" || type == "http_no_tunnel")
    return std::string("http");  // TLS always goes through a tunnel
  if (type == "socks4") return std::string(resolved_here ? "socks4" : "socks4a");
  if (type == "socks5") return std::string(resolved_here ? "socks5" : "socks5h");
  return unusable("proxy/type", type, "http, http_no_tunnel, socks4 and socks5 are there");
}

Result<http::Proxy> find_proxy(const Settings& settings) {
  const std::string address = property(settings, "proxy", "address");
  const int set = (property(settings, "proxy", "type").empty() ? 0 : 1) + (address.empty() ? 0 : 1) +
                  (property(settings, "proxy", "port").empty() ? 0 : 1);
  if (set == 0) return http::Proxy{};
  if (set != 3) {
    return Error(ErrorCode::kUsage, "gcloud's proxy is set by halves")
        .why("proxy/type, proxy/address and proxy/port belong together")
        .next("gcloud config list proxy/");
  }
  TRY(const std::string scheme, scheme_of(settings));
  TRY(const int port, number(settings, "proxy", "port", kMostPort));
  http::Proxy proxy;
  proxy.url = fmt::format("{}://{}:{}", scheme, address, port);
  proxy.username = property(settings, "proxy", "username");
  proxy.password = Secret(property(settings, "proxy", "password"));
  return proxy;
}

}  // namespace

Result<http::CurlOptions> curl_options(const Settings& settings) {
  http::CurlOptions options;
  options.ca_file = settings.ca_file;
  if (!options.ca_file.empty() && !file_exists(options.ca_file)) {
    return Error(ErrorCode::kUsage, fmt::format("there are no certificates in '{}'", options.ca_file))
        .why("there is no such file")
        .next("slipway help auth");
  }
  TRY(options.proxy, find_proxy(settings));
  if (!property(settings, "core", "http_timeout").empty()) {
    TRY(const int limit, number(settings, "core", "http_timeout", kMostSeconds));
    options.longest_try = std::chrono::seconds(limit);
  }
  return options;
}

}  // namespace slipway::cli
