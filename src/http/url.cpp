#include "slipway/http/url.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <cctype>
#include <cstdlib>
#include <memory>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::http {
namespace {

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

/// One part of a parsed URL; empty when it has none.
std::string part(const Url& url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url.get(), which, &text, flags) != CURLUE_OK) return "";
  std::string copy(text);
  curl_free(text);
  return copy;
}

Error bad_url(const std::string& url, std::string_view why) {
  return Error(ErrorCode::kUsage, fmt::format("'{}' is not an address to send to", printable(url)))
      .why(std::string(why));
}

}  // namespace

Result<Origin> parse_origin(const std::string& text) {
  const Url url(curl_url(), &curl_url_cleanup);
  if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK)
    return bad_url(text, "it is no URL");
  if (!part(url, CURLUPART_USER).empty() || !part(url, CURLUPART_PASSWORD).empty()) {
    return bad_url("(hidden)", "a URL with a user name or a password inside is refused");
  }
  Origin origin;
  origin.scheme = part(url, CURLUPART_SCHEME);
  if (origin.scheme != "https" && origin.scheme != "http")
    return bad_url(text, "it must begin with https:// or http://");
  origin.host = to_lower(part(url, CURLUPART_HOST));
  if (origin.host.size() > 2 && origin.host.front() == '[')
    origin.host = origin.host.substr(1, origin.host.size() - 2);
  origin.port = std::atoi(part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT).c_str());
  return origin;
}

bool is_loopback_host(std::string_view host) {
  const std::string name = to_lower(host);
  in_addr v4{};
  if (::inet_pton(AF_INET, name.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  if (::inet_pton(AF_INET6, name.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return name == "localhost";
}

bool is_metadata_host(std::string_view host) {
  const std::string name = to_lower(host);
  return name == "metadata.google.internal" || name == "metadata.google.internal." || name == "metadata" ||
         name == "169.254.169.254" || name == "fd20:ce::254";
}

bool is_within_domain(std::string_view host, std::string_view domain) {
  if (host == domain) return true;
  return host.size() > domain.size() + 1 && host.substr(host.size() - domain.size()) == domain &&
         host[host.size() - domain.size() - 1] == '.';
}

std::string percent_encode(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~')) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", byte);
    }
  }
  return encoded;
}

std::string encode_form(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string form;
  for (const auto& [key, value] : fields) {
    if (!form.empty()) form += '&';
    form += percent_encode(key) + '=' + percent_encode(value);
  }
  return form;
}

}  // namespace slipway::http
