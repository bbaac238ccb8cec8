#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::http {

/// Where a URL leads, without its path.
struct Origin {
  std::string scheme;  ///< "https" or "http"
  std::string host;    ///< lower case; an IPv6 address without brackets
  int port = 0;
};

/// Errors (kUsage): no URL, another scheme than http and https, or a user name or password inside it.
Result<Origin> parse_origin(const std::string& url);

/// 127.0.0.0/8, ::1 and "localhost".
bool is_loopback_host(std::string_view host);
/// The names and addresses of Google's metadata server: link-local, plain http by design.
bool is_metadata_host(std::string_view host);
/// `host` is `domain` or one of its subdomains.
bool is_within_domain(std::string_view host, std::string_view domain);

/// RFC 3986: all but unreserved characters become %XX, so that no text can leave its segment.
std::string percent_encode(std::string_view text);
/// k=v&k=v, both sides encoded: a query, or a form's body.
std::string encode_form(const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace slipway::http
