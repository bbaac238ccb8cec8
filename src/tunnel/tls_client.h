#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "slipway/core/result.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;

namespace slipway::tunnel {

struct FreeSsl {
  void operator()(SSL* ssl) const;
  void operator()(SSL_CTX* context) const;
};

/// What all connections trust: `ca_file` (PEM), or the system's certificates where it is empty. TLS 1.2 and
/// up, always verified. Errors: kUsage.
Result<std::shared_ptr<SSL_CTX>> make_tls_context(const std::string& ca_file);

/// One TLS connection without a socket: encrypted bytes go in and out by hand.
class TlsClient {
 public:
  TlsClient(SSL_CTX& context, const std::string& host);

  /// Bytes from the server.
  void feed(std::string_view encrypted);
  /// Bytes for the server.
  std::string take_encrypted();
  /// Goes on with the handshake; true once it is done. Errors (kDenied): it is not the server that was asked
  /// for, in OpenSSL's words; (kFailed): no TLS.
  Result<bool> handshake();
  void write(std::string_view plain);
  /// What has come so far. Errors (kUnavailable): the server has ended the connection, or broken TLS.
  Result<std::string> read();

 private:
  std::unique_ptr<SSL, FreeSsl> ssl_;
  bool done_ = false;
};

}  // namespace slipway::tunnel
