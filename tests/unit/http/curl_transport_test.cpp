#include "slipway/http/curl_transport.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>

#include "slipway/core/clock.h"
#include "support/raw_http_server.h"

namespace slipway::http {
namespace {

using std::chrono::milliseconds;
using test::RawHttpServer;
using test::RawReply;
using Then = RawReply::Then;

Request get(const std::string& url) {
  Request request;
  request.url = url;
  return request;
}

Request post(const std::string& url, const std::string& body) {
  Request request = get(url);
  request.method = "POST";
  request.body = body;
  return request;
}

class HttpTransport : public ::testing::Test {
 protected:
  Answer ask(const Request& request) { return std::move(transport_.exchange({request}).front()); }
  /// What a GET of a server with this one reply comes to.
  Answer ask(const RawReply& reply) {
    RawHttpServer server({reply});
    return ask(get(server.url("/x")));
  }

  Interrupt interrupt_;
  CurlOptions options_{.ca_file = "",
                       .max_body = 100'000,
                       .stall_limit = std::chrono::seconds(1),
                       .interrupt_grace = milliseconds(150)};
  CurlTransport transport_{&interrupt_, "slipway/test", options_};
};

TEST_F(HttpTransport, SendsTheRequestAndGivesTheWholeAnswer) {
  RawHttpServer server({test::reply(200, "{\"a\":1}", "X-Thing: one\r\n")});
  Request request = post(server.url("/v2/x?y=z"), "{}");
  request.headers = {{"Content-Type", "application/json"}};
  request.bearer = Secret("ya29.canary");
  const Answer answer = ask(request);
  ASSERT_TRUE(answer.response.ok()) << answer.response.error().why();
  EXPECT_EQ(answer.response.value().status, 200);
  EXPECT_EQ(answer.response.value().body, "{\"a\":1}");
  EXPECT_EQ(answer.response.value().header("x-thing"), "one");
  const auto seen = server.requests().front();
  EXPECT_EQ(seen.line(), "POST /v2/x?y=z HTTP/1.1");
  EXPECT_EQ(seen.body, "{}");
  EXPECT_EQ(seen.header("authorization"), "Bearer ya29.canary");
  EXPECT_EQ(seen.header("user-agent"), "slipway/test");
  EXPECT_EQ(seen.header("expect"), "");
}

TEST_F(HttpTransport, EveryMethodArrivesWithItsBody) {
  RawHttpServer server({test::reply(200, "{}")});
  for (const char* method : {"PATCH", "DELETE", "PUT"}) {
    Request request = post(server.url(), std::string(method) == "DELETE" ? "" : "{\"m\":1}");
    request.method = method;
    ASSERT_TRUE(ask(request).response.ok());
    EXPECT_EQ(server.requests().back().line(), std::string(method) + " / HTTP/1.1");
    EXPECT_EQ(server.requests().back().body, request.body);
  }
}

TEST_F(HttpTransport, AnErrorStatusIsASuccessfulExchange) {
  const Answer answer = ask(test::reply(404, "{\"error\":{}}"));
  ASSERT_TRUE(answer.response.ok());
  EXPECT_EQ(answer.response.value().status, 404);
  EXPECT_EQ(answer.response.value().body, "{\"error\":{}}");
}

TEST_F(HttpTransport, ARedirectIsAnAnswerAndNothingGoesToItsTarget) {
  RawHttpServer target({test::reply(200, "{}")});
  for (const int status : {301, 302, 303, 307, 308}) {
    RawHttpServer server({test::reply(status, "", "Location: " + target.url("/") + "\r\n")});
    Request request = get(server.url());
    request.bearer = Secret("ya29.redirected");
    EXPECT_EQ(ask(request).response->status, status);
  }
  EXPECT_EQ(target.connections(), 0u);
}

TEST_F(HttpTransport, ConnectionsAreReused) {
  RawHttpServer server({test::reply(200, "{}")});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(ask(get(server.url())).response.ok());
  EXPECT_EQ(server.connections(), 1u);
  EXPECT_EQ(server.requests().size(), 5u);
}

TEST_F(HttpTransport, ManyRequestsAreAnsweredInTheirOrderOverFewConnections) {
  RawHttpServer server({test::reply(200, "{}")});
  std::vector<Request> requests;
  for (int i = 0; i < 200; ++i) requests.push_back(get(server.url("/" + std::to_string(i))));
  requests[7].url = "http://127.0.0.1:1/";
  const auto answers = transport_.send_all(requests);
  ASSERT_EQ(answers.size(), 200u);
  for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i].ok(), i != 7) << i;
  EXPECT_EQ(server.requests().size(), 199u);
  EXPECT_LE(server.connections(), 12u);  // six at a time; libcurl may drop one that idles
}

TEST_F(HttpTransport, AnInterimAnswerIsNotTheAnswer) {
  const Answer answer =
      ask({"HTTP/1.1 103 Early Hints\r\nX-A: early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
           Then::kKeep});
  ASSERT_TRUE(answer.response.ok());
  EXPECT_EQ(answer.response->status, 200);
  EXPECT_EQ(answer.response->header("x-a"), "");
}

struct BrokenReply {
  const char* name;
  RawReply reply;
  ErrorCode code;
};

class BrokenAnswer : public HttpTransport, public ::testing::WithParamInterface<BrokenReply> {};

TEST_P(BrokenAnswer, IsAnErrorAndNeverAPartOfAnAnswer) {
  const Answer answer = ask(GetParam().reply);
  ASSERT_FALSE(answer.response.ok()) << "status " << answer.response.value().status;
  EXPECT_EQ(answer.response.error().code(), GetParam().code) << answer.response.error().why();
  EXPECT_FALSE(answer.response.error().why().empty());
  EXPECT_EQ(answer.exchange, Exchange::kMaybeSent);
}

const std::string kTenBytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345";
const std::string kChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const std::string kEndless = "HTTP/1.1 200 OK\r\n\r\n" + std::string(60'000, 'x');

INSTANTIATE_TEST_SUITE_P(
    Raw, BrokenAnswer,
    ::testing::Values(
        BrokenReply{"ClosedWithoutAWord", {"", Then::kClose}, ErrorCode::kUnavailable},
        BrokenReply{"ResetWithoutAWord", {"", Then::kReset}, ErrorCode::kUnavailable},
        BrokenReply{"ClosedInsideTheStatusLine", {"HTTP/1.1 20", Then::kClose}, ErrorCode::kUnavailable},
        BrokenReply{"ClosedInsideTheHeaders",
                    {"HTTP/1.1 200 OK\r\nContent-Le", Then::kClose},
                    ErrorCode::kUnavailable},
        BrokenReply{"ClosedBetweenTheHeaders",
                    {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", Then::kClose},
                    ErrorCode::kUnavailable},
        BrokenReply{"ResetInsideTheBody", {kTenBytes, Then::kReset}, ErrorCode::kUnavailable},
        BrokenReply{"ClosedInsideTheBody", {kTenBytes, Then::kClose}, ErrorCode::kUnavailable},
        BrokenReply{"ChunkCutShort", {kChunked + "10\r\nabc", Then::kClose}, ErrorCode::kUnavailable},
        BrokenReply{"ChunkWithoutAnEnd", {kChunked + "3\r\nabc\r\n", Then::kClose}, ErrorCode::kUnavailable},
        BrokenReply{"ChunkOfGarbage", {kChunked + "zz\r\nabc\r\n", Then::kClose}, ErrorCode::kUnavailable},
        BrokenReply{"GarbageInsteadOfHttp", {"SSH-2.0-OpenSSH_9.2\r\n", Then::kClose}, ErrorCode::kFailed},
        BrokenReply{
            "GzipThatIsNone",
            {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", Then::kClose},
            ErrorCode::kFailed},
        BrokenReply{"SilenceAfterTheHeaders", {kTenBytes, Then::kHang}, ErrorCode::kUnavailable},
        BrokenReply{"EndlessBody", {kEndless, Then::kRepeat}, ErrorCode::kFailed},
        BrokenReply{"TooLongByItsOwnWord",
                    {"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n", Then::kHang},
                    ErrorCode::kFailed}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(HttpTransport, AResetAfterAWholeAnswerChangesNothing) {
  RawReply whole = test::reply(200, "{\"whole\":true}");
  whole.then = Then::kReset;
  const Answer answer = ask(whole);
  ASSERT_TRUE(answer.response.ok());
  EXPECT_EQ(answer.response->body, "{\"whole\":true}");
}

TEST_F(HttpTransport, HeadersWithoutEndAreStoppedByTheirSize) {
  std::string endless = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 3000; ++i) endless += "X-" + std::to_string(i) + ": " + std::string(1000, 'a') + "\r\n";
  const Answer answer = ask({endless, Then::kHang});
  ASSERT_FALSE(answer.response.ok());
}

TEST_F(HttpTransport, ABodyIsCountedAfterItWasDecompressed) {
  // One deflate block, by hand: a zero byte, then 2,000 times "the last 258 bytes again".
  std::string bits;
  const auto put = [&](unsigned value, int count) {
    for (int i = 0; i < count; ++i) bits += static_cast<char>('0' + ((value >> i) & 1));
  };
  put(1, 1), put(1, 2);                                                // last block, fixed Huffman codes
  bits += "00110000";                                                  // literal 0
  for (int i = 0; i < 2000; ++i) bits += "11000101", bits += "00000";  // length 258, distance 1
  put(0, 7);                                                           // end of block
  std::string deflated;
  for (std::size_t at = 0; at < bits.size(); at += 8) {
    unsigned byte = 0;
    for (std::size_t i = 0; i < 8 && at + i < bits.size(); ++i)
      byte |= static_cast<unsigned>(bits[at + i] == '1') << i;
    deflated += static_cast<char>(byte);
  }
  const std::string gzip = std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10) + deflated;
  ASSERT_LT(gzip.size(), 5'000u);
  RawReply bomb = test::reply(200, gzip, "Content-Encoding: gzip\r\n");
  const Answer answer = ask(bomb);
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.response.error().code(), ErrorCode::kFailed);
  EXPECT_NE(answer.response.error().message().find("too large"), std::string::npos)
      << answer.response.error().why();
}

TEST_F(HttpTransport, WhereNobodyListensNothingWasSent) {
  int port = 0;
  { port = RawHttpServer({test::reply(200, "")}).port(); }
  const Answer answer = ask(get("http://127.0.0.1:" + std::to_string(port)));
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.response.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(answer.exchange, Exchange::kNotSent);
}

TEST_F(HttpTransport, ARequestThatIsNotIdempotentNeverTravelsTwice) {
  // On a reused connection that dies before a byte of the answer, libcurl repeats the request by itself.
  RawHttpServer server({test::reply(200, "{}"), {"", Then::kClose}, test::reply(200, "{}")});
  ASSERT_TRUE(ask(get(server.url())).response.ok());
  const Answer answer = ask(post(server.url("/q:reset"), "{}"));
  EXPECT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.exchange, Exchange::kMaybeSent);
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST_F(HttpTransport, TheTimeoutOfARequestIsKept) {
  RawHttpServer server({{"", Then::kHang}});
  Request request = get(server.url());
  request.timeout = milliseconds(60);
  const Answer answer = ask(request);
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.response.error().code(), ErrorCode::kUnavailable);
}

TEST_F(HttpTransport, ABodyThatComesAByteAtATimeEndsWithTheTimeOfItsRequest) {
  RawHttpServer server({{"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{", Then::kDrip}});
  Request request = get(server.url());
  request.timeout = milliseconds(200);
  const Answer answer = ask(request);
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.response.error().code(), ErrorCode::kUnavailable);
}

TEST_F(HttpTransport, AHandshakeThatStallsEndsWithTheTimeToConnect) {
  RawHttpServer server({{"", Then::kHang}});  // waits for the end of headers that never come
  Request request = get("https://127.0.0.1:" + std::to_string(server.port()) + "/");
  request.connect_timeout = milliseconds(200);
  request.bearer = Secret("ya29.stalled");
  const Answer answer = ask(request);
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.response.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(answer.exchange, Exchange::kNotSent);
  EXPECT_FALSE(answer.hopeless);
}

TEST_F(HttpTransport, ANameThatDoesNotExistIsHopeless) {
  addrinfo* found = nullptr;
  if (const int said = ::getaddrinfo("no-such-host.invalid", nullptr, nullptr, &found); said != EAI_NONAME)
    GTEST_SKIP() << "the name servers here say: " << ::gai_strerror(said);
  const Answer answer = ask(get("https://no-such-host.invalid/"));
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.response.error().code(), ErrorCode::kUnavailable);
  EXPECT_TRUE(answer.hopeless);
  EXPECT_FALSE(ask(get("http://127.0.0.1:1/")).hopeless) << "who does not listen may begin to";
}

TEST_F(HttpTransport, WithoutTlsOnlyLoopbackAndMetadataServersAreAsked) {
  for (const char* url : {"http://tpu.googleapis.com/", "http://10.0.0.1/", "http://127.0.0.1.nip.test/"}) {
    Request request = get(url);
    request.bearer = Secret("ya29.plain");
    const Answer answer = ask(request);
    ASSERT_FALSE(answer.response.ok());
    EXPECT_EQ(answer.response.error().code(), ErrorCode::kUsage) << url;
    EXPECT_EQ(answer.exchange, Exchange::kNotSent);
  }
}

TEST_F(HttpTransport, AControlCharacterInAHeaderIsRefused) {
  RawHttpServer server({test::reply(200, "{}")});
  Request in_token = get(server.url());
  in_token.bearer = Secret("ya29.x\r\nX-Evil: 1");
  EXPECT_EQ(ask(in_token).response.error().code(), ErrorCode::kUsage);
  Request in_header = get(server.url());
  in_header.headers = {{"X-Goog-User-Project", "p\r\nX-Evil: 1"}};
  EXPECT_EQ(ask(in_header).response.error().code(), ErrorCode::kUsage);
  EXPECT_EQ(server.connections(), 0u);
}

TEST_F(HttpTransport, AProxyOfTheEnvironmentIsNotAskedForLoopback) {
  RawHttpServer proxy({test::reply(200, "from the proxy")});
  RawHttpServer server({test::reply(200, "direct")});
  ::setenv("http_proxy", proxy.url().c_str(), 1);
  const Answer answer = ask(get(server.url()));
  ::unsetenv("http_proxy");
  EXPECT_EQ(answer.response->body, "direct");
  EXPECT_EQ(proxy.connections(), 0u);
}

TEST_F(HttpTransport, AProxyOfTheEnvironmentSeesNoToken) {
  RawHttpServer proxy({test::reply(503, "no")});
  ::setenv("https_proxy", proxy.url().c_str(), 1);
  Request request = get("https://tpu.googleapis.com/v2/x");
  request.bearer = Secret("ya29.proxied");
  const Answer answer = ask(request);
  ::unsetenv("https_proxy");
  ASSERT_FALSE(answer.response.ok());
  ASSERT_EQ(proxy.requests().size(), 1u);
  EXPECT_EQ(proxy.requests()[0].head.find("ya29"), std::string::npos);
}

TEST_F(HttpTransport, AServerThatIsNoTlsServerGetsNoRequest) {
  RawHttpServer server({test::reply(200, "{}")});
  Request request = get("https://127.0.0.1:" + std::to_string(server.port()) + "/");
  request.timeout = milliseconds(300);
  const Answer answer = ask(request);
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.exchange, Exchange::kNotSent);
}

TEST_F(HttpTransport, AnInterruptGivesUpAGetAtOnce) {
  RawHttpServer server({{"", Then::kHang}});
  std::thread user([&] {
    server.wait_for_requests(1);
    interrupt_.notify(SIGINT);
  });
  const auto began = BootClock::now();
  const Answer answer = ask(get(server.url()));
  user.join();
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.response.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(answer.response.error().signal(), SIGINT);
  EXPECT_LT(BootClock::now() - began, milliseconds(1'000));
}

TEST_F(HttpTransport, AnInterruptLeavesAPostTheTimeToAnswer) {
  RawHttpServer server({{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", Then::kHang}});
  CurlTransport transport(&interrupt_, "slipway/test", {.ca_file = "", .interrupt_grace = milliseconds(100)});
  std::thread user([&] {
    server.wait_for_requests(1);
    interrupt_.notify(SIGTERM);
  });
  const auto began = BootClock::now();
  const Answer answer = std::move(transport.exchange({post(server.url(), "{}")}).front());
  user.join();
  ASSERT_FALSE(answer.response.ok());
  EXPECT_EQ(answer.response.error().code(), ErrorCode::kInterrupted);
  EXPECT_NE(answer.response.error().why().find("may have been carried out"), std::string::npos);
  EXPECT_GE(BootClock::now() - began, milliseconds(100));
}

TEST_F(HttpTransport, ASecondInterruptGivesUpEverything) {
  RawHttpServer server({{"", Then::kHang}});
  CurlTransport transport(&interrupt_, "slipway/test",
                          {.ca_file = "", .interrupt_grace = std::chrono::hours(1)});
  std::thread user([&] {
    server.wait_for_requests(1);
    interrupt_.notify(SIGINT);
    interrupt_.notify(SIGINT);
  });
  const auto answer = transport.exchange({post(server.url(), "{}")});
  user.join();
  EXPECT_EQ(answer.front().response.error().code(), ErrorCode::kInterrupted);
}

TEST_F(HttpTransport, AfterAnInterruptNothingNewIsSent) {
  RawHttpServer server({test::reply(200, "{}")});
  interrupt_.notify(SIGINT);
  EXPECT_EQ(ask(post(server.url(), "{}")).response.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(server.connections(), 0u);
}

}  // namespace
}  // namespace slipway::http
