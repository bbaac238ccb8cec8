#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slipway/core/interrupt.h"
#include "slipway/http/transport.h"

namespace slipway::http {

/// A proxy that was named, instead of the environment's. NO_PROXY holds for it too; loopback and metadata
/// servers are never asked through one.
struct Proxy {
  std::string
      url;  ///< scheme, host and port: "http://h:3128", "socks5h://h:1080"; empty for the environment's
  std::string username;
  Secret password;
};

struct CurlOptions {
  std::string ca_file;  ///< certificates to trust instead of the system's; there is no way not to verify
  std::size_t max_body = kMaxBody;
  /// A transfer that gets less than 1 byte/s for this long is given up.
  std::chrono::seconds stall_limit{30};
  /// No try takes longer, whatever the request allows; 0 for no limit of its own.
  std::chrono::milliseconds longest_try{0};
  Proxy proxy = {};
  /// How long a request that may change something can still answer after the first interrupt.
  std::chrono::milliseconds interrupt_grace{5'000};
  /// Told when that time begins.
  std::function<void()> on_interrupt_grace;
};

/// HTTP through libcurl, on the calling thread. Plain http only to loopback and metadata servers; redirects,
/// .netrc and cookies never; TLS 1.2 and up, always verified; the environment's proxies, but not for loopback
/// and metadata servers. SIGPIPE must be ignored by the process: OpenSSL writes to sockets without
/// MSG_NOSIGNAL.
class CurlTransport final : public Transport {
 public:
  /// `interrupt`, which may be null, outlives the transport. The first one gives up GETs at once and
  /// everything else after `interrupt_grace`; the second gives up all. Once it is requested, nothing new is
  /// sent.
  CurlTransport(const Interrupt* interrupt, std::string user_agent, CurlOptions options = {});
  ~CurlTransport() override;

  std::vector<Answer> exchange(const std::vector<Request>& requests) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipway::http
