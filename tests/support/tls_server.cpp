#include "support/tls_server.h"

#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <sys/socket.h>

#include <stdexcept>

#include "support/loopback_listener.h"

namespace slipway::test {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free_all(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<std::size_t>(size));
}

void add_extension(X509* certificate, int kind, const std::string& value) {
  const Owned<X509_EXTENSION> extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
  X509_add_ext(certificate, extension.get(), -1);
}

}  // namespace

SelfSigned make_certificate(const std::string& host, long valid_for_seconds) {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const Owned<X509> certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), valid_for_seconds);
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("slipway test"),
                             -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  const bool is_address = host.find_first_not_of("0123456789.") == std::string::npos;
  add_extension(certificate.get(), NID_subject_alt_name, (is_address ? "IP:" : "DNS:") + host);
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  X509_set_pubkey(certificate.get(), key.get());
  X509_sign(certificate.get(), key.get(), EVP_sha256());

  const Owned<BIO> certificate_pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(certificate_pem.get(), certificate.get());
  const Owned<BIO> key_pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {text_of(certificate_pem.get()), text_of(key_pem.get())};
}

struct TlsServer::Context {
  Owned<SSL_CTX> ssl;
};

TlsServer::TlsServer(const SelfSigned& identity, int highest_version)
    : context_(new Context{Owned<SSL_CTX>(SSL_CTX_new(TLS_server_method()))}) {
  ::signal(SIGPIPE, SIG_IGN);  // a client that turns away in the handshake is what some tests are about
  SSL_CTX* ssl = context_->ssl.get();
  const Owned<BIO> certificate(
      BIO_new_mem_buf(identity.certificate.data(), static_cast<int>(identity.certificate.size())));
  const Owned<X509> parsed(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
  const Owned<BIO> key(BIO_new_mem_buf(identity.key.data(), static_cast<int>(identity.key.size())));
  const Owned<EVP_PKEY> parsed_key(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
  SSL_CTX_use_certificate(ssl, parsed.get());
  SSL_CTX_use_PrivateKey(ssl, parsed_key.get());
  SSL_CTX_set_security_level(
      ssl, 0);  // or this OpenSSL would itself refuse the old versions that a client must refuse
  SSL_CTX_set_min_proto_version(ssl, TLS1_VERSION);
  if (highest_version != 0) SSL_CTX_set_max_proto_version(ssl, highest_version);

  LoopbackListener listener = listen_on_loopback(16);
  listener_ = std::move(listener.fd);
  port_ = listener.port;
  thread_ = std::thread([this] { serve(); });
}

TlsServer::~TlsServer() {
  ::shutdown(listener_.get(), SHUT_RDWR);
  thread_.join();
}

void TlsServer::serve() {
  while (true) {
    const Fd connection(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) return;
    serve_one(connection.get());
  }
}

void TlsServer::serve_one(int fd) {
  const Owned<SSL> ssl(SSL_new(context_->ssl.get()));
  SSL_set_fd(ssl.get(), fd);
  if (SSL_accept(ssl.get()) != 1) return;
  char buffer[8192];
  const int count = SSL_read(ssl.get(), buffer, sizeof buffer);
  if (count <= 0) return;
  received_ += static_cast<std::size_t>(count);
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
  SSL_write(ssl.get(), answer.data(), static_cast<int>(answer.size()));
  SSL_shutdown(ssl.get());
}

}  // namespace slipway::test
