#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "slipway/core/fd.h"

namespace slipway::test {

/// A certificate that signs itself, and its key; as PEM.
struct SelfSigned {
  std::string certificate;
  std::string key;
};
/// For `host` (a DNS name or an IPv4 address), valid from an hour ago until `valid_for_seconds` from now.
SelfSigned make_certificate(const std::string& host, long valid_for_seconds = 3600);

/// An HTTPS server on a port of 127.0.0.1 that answers each request with 200 and "{}".
class TlsServer {
 public:
  /// `highest_version` as in SSL_CTX_set_max_proto_version; 0 for the newest.
  explicit TlsServer(const SelfSigned& identity, int highest_version = 0);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  std::string url(const std::string& host) const {
    return "https://" + host + ":" + std::to_string(port_) + "/";
  }
  /// Bytes of requests that arrived decrypted.
  std::size_t received() const { return received_; }

 private:
  void serve();
  void serve_one(int fd);

  struct Context;
  std::unique_ptr<Context> context_;
  Fd listener_;
  int port_ = 0;
  std::atomic<std::size_t> received_{0};
  std::thread thread_;
};

}  // namespace slipway::test
