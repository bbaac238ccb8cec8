#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"
#include "slipway/tunnel/iap.h"
#include "slipway/tunnel/resolve.h"
#include "tunnel/tls_client.h"

namespace slipway::tunnel {

Result<IapGateway> find_iap_gateway(const std::string& url, const std::string& ca_file) {
  constexpr std::string_view kScheme = "wss://";
  if (url.compare(0, kScheme.size(), kScheme) != 0) {
    return Error(ErrorCode::kUsage, fmt::format("'{}' is no address of a relay", printable(url)))
        .why(fmt::format("write wss://HOST/PATH, such as {}", kIapUrl));
  }
  const std::string rest = url.substr(kScheme.size());
  TRY(const http::Origin origin, http::parse_origin("https://" + rest));
  IapGateway gateway;
  gateway.host = origin.host;
  gateway.port = origin.port;
  const std::size_t slash = rest.find('/');
  gateway.path = slash == std::string::npos ? "" : rest.substr(slash);
  while (!gateway.path.empty() && gateway.path.back() == '/') gateway.path.pop_back();
  TRY(gateway.tls, make_tls_context(ca_file));
  TRY(gateway.addresses, resolve(gateway.host));
  return gateway;
}

}  // namespace slipway::tunnel
