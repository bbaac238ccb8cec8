#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <signal.h>

#include "slipway/core/file.h"
#include "slipway/http/curl_transport.h"
#include "support/temp_folder.h"
#include "support/tls_server.h"

namespace slipway::http {
namespace {

using test::make_certificate;
using test::SelfSigned;
using test::TlsServer;

class Tls : public ::testing::Test {
 protected:
  Tls() { ::signal(SIGPIPE, SIG_IGN); }

  /// The answer of a server with that identity, to a client that trusts `trusted`.
  Answer ask(const TlsServer& server, const SelfSigned& trusted, const std::string& host = "127.0.0.1") {
    EXPECT_TRUE(write_file_atomically(folder_ / "ca.pem", trusted.certificate).ok());
    CurlTransport transport(nullptr, "slipway/test", {.ca_file = folder_ / "ca.pem"});
    Request request;
    request.url = server.url(host);
    request.bearer = Secret("ya29.tls-canary");
    return std::move(transport.exchange({request}).front());
  }

  void expect_denied(const TlsServer& server, const Answer& answer) {
    ASSERT_FALSE(answer.response.ok());
    EXPECT_EQ(answer.response.error().code(), ErrorCode::kDenied) << answer.response.error().why();
    EXPECT_EQ(answer.exchange, Exchange::kNotSent);
    EXPECT_EQ(server.received(), 0u);
  }

  test::TempFolder folder_;
};

TEST_F(Tls, AServerWithATrustedCertificateIsAsked) {
  const SelfSigned identity = make_certificate("127.0.0.1");
  const TlsServer server(identity);
  const Answer answer = ask(server, identity);
  ASSERT_TRUE(answer.response.ok()) << answer.response.error().why();
  EXPECT_EQ(answer.response->body, "{}");
  EXPECT_GT(server.received(), 0u);
}

TEST_F(Tls, AnUnknownCertificateIsDeniedAndNothingIsSent) {
  const TlsServer server(make_certificate("127.0.0.1"));
  expect_denied(server, ask(server, make_certificate("127.0.0.1")));
}

TEST_F(Tls, ACertificateOfAnotherHostIsDeniedAndNothingIsSent) {
  const SelfSigned identity = make_certificate("tpu.googleapis.com");
  const TlsServer server(identity);
  expect_denied(server, ask(server, identity));
}

TEST_F(Tls, AnExpiredCertificateIsDeniedAndNothingIsSent) {
  const SelfSigned identity = make_certificate("127.0.0.1", -60);
  const TlsServer server(identity);
  expect_denied(server, ask(server, identity));
}

TEST_F(Tls, AVersionBefore12IsRefusedAndNothingIsSent) {
  const SelfSigned identity = make_certificate("127.0.0.1");
  const TlsServer server(identity, TLS1_1_VERSION);
  const Answer answer = ask(server, identity);
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.exchange, Exchange::kNotSent);
  EXPECT_EQ(server.received(), 0u);
}

TEST_F(Tls, ACaFileThatIsMissingIsAUsageError) {
  CurlTransport transport(nullptr, "slipway/test", {.ca_file = folder_ / "none.pem"});
  const TlsServer server(make_certificate("127.0.0.1"));
  Request request;
  request.url = server.url("127.0.0.1");
  EXPECT_EQ(transport.send(request).error().code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace slipway::http
