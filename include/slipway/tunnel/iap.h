#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/core/secret.h"
#include "slipway/ssh/socket.h"

typedef struct ssl_ctx_st SSL_CTX;

namespace slipway::tunnel {

inline constexpr const char* kIapUrl = "wss://tunnel.cloudproxy.app/v4";

/// Google's Identity-Aware Proxy as the way to machines without a reachable address: what all tunnels of a
/// run share.
struct IapGateway {
  std::string host;
  int port = 443;
  std::string path;                    ///< "/v4"
  std::vector<std::string> addresses;  ///< of the host
  std::string project;
  std::string zone;
  std::string user_agent;
  /// Asked for at each connection. Blocks while a new one is fetched.
  std::function<Result<Secret>()> token;
  std::shared_ptr<SSL_CTX> tls;  ///< shared by the tunnels
};

/// Reads `url` (wss://HOST[:PORT]/PATH), finds the host's addresses and the certificates to trust (`ca_file`,
/// or the system's). The rest is the caller's to fill in. Errors: kUsage, kUnavailable.
Result<IapGateway> find_iap_gateway(const std::string& url, const std::string& ca_file);

/// A stream to `port` of the instance (a VM's name, which its guest attributes tell), interface nic0. A
/// connection that breaks is taken up again where it stood, for as long as the session above has patience.
std::unique_ptr<ssh::Socket> make_iap_socket(std::shared_ptr<const IapGateway> gateway, std::string instance,
                                             int port);

}  // namespace slipway::tunnel
