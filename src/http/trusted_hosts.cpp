#include "slipway/http/trusted_hosts.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"

namespace slipway::http {

Result<void> check_trusted(const std::string& url, const std::vector<std::string>& allowed_hosts) {
  TRY(const http::Origin origin, http::parse_origin(url));
  if (http::is_loopback_host(origin.host)) return {};
  const bool named = std::any_of(allowed_hosts.begin(), allowed_hosts.end(),
                                 [&](const std::string& host) { return to_lower(host) == origin.host; });
  const bool trusted = named || http::is_within_domain(origin.host, "googleapis.com");
  if (trusted && origin.scheme == "https") return {};
  Error refusal(ErrorCode::kUsage, fmt::format("will not send a secret to '{}'", printable(origin.host)));
  if (trusted) return std::move(refusal).why("it would travel in the clear: use https://");
  return std::move(refusal)
      .why("secrets go to googleapis.com, to loopback, and to hosts that you name yourself")
      .next("add --allow-host " + shell_quote(origin.host));
}

}  // namespace slipway::http
