// A proxy sees where we go, and never what we carry.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <poll.h>

#include "slipway/core/text.h"
#include "slipway/http/curl_transport.h"
#include "support/raw_http_server.h"

namespace slipway::http {
namespace {

using test::RawHttpServer;
using test::RawReply;

Request secret_request(const std::string& url) {
  Request request;
  request.url = url;
  request.bearer = Secret("ya29.canary");
  request.timeout = std::chrono::seconds(10);
  return request;
}

std::string port_of(const RawHttpServer& server) { return std::to_string(server.port()); }

TEST(Proxy, GetsItsOwnCredentialsAndOnlyTheNameOfTheServer) {
  RawHttpServer proxy({test::reply(403, "", "")});
  CurlOptions options;
  options.proxy = {"http://127.0.0.1:" + port_of(proxy), "me", Secret("proxy-secret")};
  CurlTransport transport(nullptr, "slipway/test", options);
  const Result<Response> answer = transport.send(secret_request("https://tpu.googleapis.com/v2/x"));
  EXPECT_FALSE(answer.ok());
  const auto seen = proxy.requests().at(0);
  EXPECT_EQ(seen.line(), "CONNECT tpu.googleapis.com:443 HTTP/1.1");
  EXPECT_EQ(seen.header("proxy-authorization"), "Basic " + base64_encode("me:proxy-secret"));
  EXPECT_EQ(seen.header("authorization"), "");
  EXPECT_EQ(seen.head.find("canary"), std::string::npos);
}

TEST(Proxy, IsNotAskedForLoopback) {
  RawHttpServer proxy({test::reply(403, "")});
  RawHttpServer server({test::reply(200, "{}")});
  CurlOptions options;
  options.proxy.url = "http://127.0.0.1:" + port_of(proxy);
  CurlTransport transport(nullptr, "slipway/test", options);
  EXPECT_EQ(transport.send(secret_request(server.url()))->status, 200);
  EXPECT_EQ(proxy.connections(), 0u);
}

/// The first bytes that a client says to a server that answers nothing.
std::string greeting(const std::string& scheme) {
  const Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(listener.get(), generic, size), 0);
  EXPECT_EQ(::listen(listener.get(), 1), 0);
  EXPECT_EQ(::getsockname(listener.get(), generic, &size), 0);
  std::string bytes;
  std::thread server([&] {
    const Fd client(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    char buffer[512];
    const ssize_t count = ::recv(client.get(), buffer, sizeof buffer, 0);
    bytes.assign(buffer, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  });
  CurlOptions options;
  options.proxy.url = scheme + "://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  CurlTransport transport(nullptr, "slipway/test", options);
  EXPECT_FALSE(transport.send(secret_request("https://tpu.googleapis.com/v2/x")).ok());
  server.join();
  return bytes;
}

TEST(Proxy, SpeaksSocksOfBothVersionsAndLetsTheProxyResolveTheName) {
  const std::string four = greeting("socks4a");
  ASSERT_FALSE(four.empty());
  EXPECT_EQ(four[0], 4);
  EXPECT_NE(four.find("tpu.googleapis.com"), std::string::npos);
  const std::string five = greeting("socks5h");
  ASSERT_FALSE(five.empty());
  EXPECT_EQ(five[0], 5);
}

TEST(Proxy, ATryTakesNoLongerThanItIsAllowed) {
  RawHttpServer server({RawReply{"", RawReply::Then::kHang}});
  CurlOptions options;
  options.longest_try = std::chrono::milliseconds(200);
  CurlTransport transport(nullptr, "slipway/test", options);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(transport.send(secret_request(server.url())).error().code(), ErrorCode::kUnavailable);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

}  // namespace
}  // namespace slipway::http
