#include "tunnel/tls_client.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>

#include "slipway/core/format.h"

namespace slipway::tunnel {
namespace {

constexpr std::size_t kPiece = 16384;

std::string last_error() {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  const char* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "unknown";
}

bool is_address(const std::string& host) {
  return host.find_first_not_of("0123456789.") == std::string::npos || host.find(':') != std::string::npos;
}

}  // namespace

void FreeSsl::operator()(SSL* ssl) const { SSL_free(ssl); }
void FreeSsl::operator()(SSL_CTX* context) const { SSL_CTX_free(context); }

Result<std::shared_ptr<SSL_CTX>> make_tls_context(const std::string& ca_file) {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_client_method()), FreeSsl());  // shared by all connections
  if (!context) return Error(ErrorCode::kLocal, "OpenSSL cannot make a TLS context");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  const int loaded = ca_file.empty() ? SSL_CTX_set_default_verify_paths(context.get())
                                     : SSL_CTX_load_verify_file(context.get(), ca_file.c_str());
  if (loaded == 1) return context;
  return Error(ErrorCode::kUsage, fmt::format("cannot read certificates from '{}'", ca_file))
      .why(last_error());
}

TlsClient::TlsClient(SSL_CTX& context, const std::string& host) : ssl_(SSL_new(&context)) {
  SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));  // both are ssl_'s from here on
  SSL_set_connect_state(ssl_.get());
  if (is_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
  } else {
    // What SSL_set_tlsext_host_name stands for, without the cast in that macro.
    SSL_ctrl(ssl_.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             const_cast<char*>(host.c_str()));
    SSL_set1_host(ssl_.get(), host.c_str());
  }
}

void TlsClient::feed(std::string_view encrypted) {
  BIO_write(SSL_get_rbio(ssl_.get()), encrypted.data(), static_cast<int>(encrypted.size()));
}

std::string TlsClient::take_encrypted() {
  BIO* out = SSL_get_wbio(ssl_.get());
  std::string bytes(BIO_ctrl_pending(out), '\0');
  if (!bytes.empty()) BIO_read(out, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

Result<bool> TlsClient::handshake() {
  if (done_) return true;
  ERR_clear_error();  // what others left on this thread would be taken for ours
  const int result = SSL_do_handshake(ssl_.get());
  if (result == 1) return done_ = true;
  const int error = SSL_get_error(ssl_.get(), result);
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return false;
  const long verified = SSL_get_verify_result(ssl_.get());
  if (verified != X509_V_OK) {
    ERR_clear_error();
    return Error(ErrorCode::kDenied, "the relay's certificate is not to be trusted")
        .why(X509_verify_cert_error_string(verified));
  }
  return Error(ErrorCode::kFailed, "no TLS with the relay").why(last_error());
}

void TlsClient::write(std::string_view plain) {
  // Into memory: it takes all.
  ERR_clear_error();
  if (!plain.empty()) SSL_write(ssl_.get(), plain.data(), static_cast<int>(plain.size()));
}

Result<std::string> TlsClient::read() {
  std::string plain;
  std::array<char, kPiece> piece;
  while (true) {
    ERR_clear_error();
    const int count = SSL_read(ssl_.get(), piece.data(), static_cast<int>(piece.size()));
    if (count > 0) {
      plain.append(piece.data(), static_cast<std::size_t>(count));
      continue;
    }
    const int error = SSL_get_error(ssl_.get(), count);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE || !plain.empty()) return plain;
    return Error(ErrorCode::kUnavailable, error == SSL_ERROR_ZERO_RETURN ? "the relay ended the connection"
                                                                         : "TLS broke: " + last_error());
  }
}

}  // namespace slipway::tunnel
