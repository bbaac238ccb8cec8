// Faults of the wire and of what comes over it, against servers that send exactly these bytes.
#include <gtest/gtest.h>

#include <chrono>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "support/raw_http_server.h"
#include "support/tls_server.h"

namespace slipway::test {
namespace {

using Then = RawReply::Then;

const std::string kPage =
    R"({"queuedResources":[{"name":"projects/p/locations/z/queuedResources/q","state":{"state":"ACTIVE"}}]})";

class WireFaults : public ::testing::Test {
 protected:
  WireFaults() {
    EXPECT_TRUE(write_file_atomically(token(), "ya29.wire-canary\n", 0600).ok());
    user.environment["CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"] = token();
    user.environment["CLOUDSDK_CORE_PROJECT"] = "p";
    user.environment["CLOUDSDK_COMPUTE_ZONE"] = "z";
  }
  std::string token() const { return user.home() / "token"; }

  Ended ask(const std::string& url, std::vector<std::string> words) const {
    words.push_back("--endpoint");
    words.push_back(url);
    return user.slipway(words, std::chrono::seconds(40));
  }
  /// `slipway list` against a server that gives these replies, the last again and again.
  Ended list(const std::vector<RawReply>& replies) {
    RawHttpServer server(replies);
    const Ended ended = ask(server.url(), {"list", "--format", "value"});
    requests = server.requests().size();
    return ended;
  }
  void expect_says(const Ended& ended, const std::vector<std::string>& parts) const {
    EXPECT_FALSE(ended.hung);
    EXPECT_EQ(ended.out, "") << "no part of an answer";
    for (const std::string& part : parts)
      EXPECT_NE(ended.err.find(part), std::string::npos) << part << "\n" << ended.err;
  }

  SlipwayUser user;
  std::size_t requests = 0;
};

struct Broken {
  const char* name;
  RawReply reply;
};
class BrokenOnce : public WireFaults, public ::testing::WithParamInterface<Broken> {};

TEST_P(BrokenOnce, IsAskedAgainAndNeverAnEmptyList) {
  const Ended ended = list({GetParam().reply, reply(200, kPage)});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out.rfind("q\tz\t", 0), 0U) << ended.out;
  EXPECT_EQ(requests, 2U);
}
const std::string kHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
INSTANTIATE_TEST_SUITE_P(
    Wire, BrokenOnce,
    ::testing::Values(
        Broken{"ResetBeforeAWord", {"", Then::kReset}}, Broken{"ClosedBeforeAWord", {"", Then::kClose}},
        Broken{"ResetInsideTheHeaders", {"HTTP/1.1 200 OK\r\nConte", Then::kReset}},
        Broken{"ResetInsideTheBody", {kHead + "Content-Length: 500\r\n\r\n{\"queuedRes", Then::kReset}},
        Broken{"TruncatedBody", {kHead + "Content-Length: 500\r\n\r\n{}", Then::kClose}},
        Broken{"ChunkCut", {kHead + "Transfer-Encoding: chunked\r\n\r\n20\r\n{\"queued", Then::kClose}},
        Broken{"LastChunkMissing", {kHead + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", Then::kClose}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(WireFaults, AResetAfterAWholeAnswerIsASuccess) {
  RawReply whole = reply(200, kPage);
  whole.then = Then::kReset;
  EXPECT_EQ(list({whole}).code, 0);
  EXPECT_EQ(requests, 1U);
}

TEST_F(WireFaults, ALengthThatIsTooShortIsNoList) {
  const Ended ended = list({{kHead + "Content-Length: 20\r\n\r\n" + kPage, Then::kClose}});
  EXPECT_EQ(ended.code, 1);
  expect_says(ended, {"slipway: list: ", "why: "});
}

TEST_F(WireFaults, AnEndlessBodyIsGivenUp) {
  const Ended ended = list({{kHead + "\r\n" + std::string(1 << 20, ' '), Then::kRepeat}});
  EXPECT_EQ(ended.code, 1);
  expect_says(ended, {"too large"});
  EXPECT_EQ(requests, 1U);
}

TEST_F(WireFaults, APageOfACaptivePortalIsNoAnswerOfTheApi) {
  for (const char* type : {"text/html", "application/json", "text/plain"}) {
    const Ended ended = list({reply(200, "<html><title>Sign in\x1b[2J to the WLAN</title>",
                                    std::string("Content-Type: ") + type + "\r\n")});
    EXPECT_EQ(ended.code, 1);
    expect_says(ended, {"not an answer of a Google API", "<html><title>Sign in"});
    EXPECT_EQ(ended.err.find('\x1b'), std::string::npos) << "nothing that commands a terminal";
  }
}

struct Shape {
  const char* name;
  std::string body;
  std::string says;
};
class WrongShapes : public WireFaults, public ::testing::WithParamInterface<Shape> {};

TEST_P(WrongShapes, AreErrorsThatSayWhere) {
  const Ended ended = list({reply(200, GetParam().body)});
  EXPECT_EQ(ended.code, 1) << ended.err;
  expect_says(ended, {"slipway: list: ", GetParam().says});
  EXPECT_EQ(requests, 1U);
}
INSTANTIATE_TEST_SUITE_P(
    Bodies, WrongShapes,
    ::testing::Values(
        Shape{"AList", "[]", "array ([]), not an object"}, Shape{"Null", "null", "not an object"},
        Shape{"Nothing", "", "not an answer of a Google API"},
        Shape{"Truncated", R"({"queuedResources":[{"name")", "not an answer of a Google API"},
        Shape{"NotAList", R"({"queuedResources":{"name":"q"}})", "queuedResources"},
        Shape{"NotObjects", R"({"queuedResources":["q"]})", "queuedResources[0]"},
        Shape{"StateIsANumber",
              R"({"queuedResources":[{"name":"projects/p/locations/z/queuedResources/q","state":7}]})",
              "queuedResources[0].state"},
        Shape{"KeyTwice", R"({"queuedResources":[],"queuedResources":[]})", "twice"},
        Shape{"Deep", std::string(100'000, '['), "deep"},
        Shape{"DeepInside", R"({"queuedResources":)" + std::string(100'000, '['), "deep"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(WireFaults, WhatIsNewIsShownAsItIsOrIgnored) {
  const std::string body =
      R"({"queuedResources":[{"name":"projects/p/locations/z/queuedResources/q","somethingNew":{"a":[1,null]},)"
      R"("createTime":null,"tpu":{"nodeSpec":[{"nodeId":"n","node":{"acceleratorType":"v4-8","bootDiskConfig":{"diskSizeGb":100}}}]},)"
      R"("state":{"state":"DAYDREAMING","stateInitiator":"NOBODY"}}],"unheardOf":1})";
  const Ended ended = list({reply(200, body)});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "q\tz\t1\tv4-8\tDAYDREAMING\n");
  RawHttpServer server(
      {reply(200, R"({"name":"projects/p/locations/z/queuedResources/q","state":{"state":"DAYDREAMING"}})")});
  EXPECT_EQ(ask(server.url(), {"wait", "q", "--timeout", "0"}).code, 124) << "no end: it may still come";
}

class Redirects : public WireFaults, public ::testing::WithParamInterface<int> {};

TEST_P(Redirects, AreErrorsAndNothingArrivesAtTheirTarget) {
  RawHttpServer target({reply(200, kPage)});
  RawHttpServer server({reply(GetParam(), "", "Location: " + target.url("/v2/stolen") + "\r\n")});
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"create", "q", "--node-id", "n", "--accelerator-type", "v4-8"}}) {
    const Ended ended = ask(server.url(), words);
    EXPECT_EQ(ended.code, 1);
    expect_says(ended, {"redirects to " + target.url("/v2/stolen")});
  }
  EXPECT_EQ(target.connections(), 0U);
}
INSTANTIATE_TEST_SUITE_P(Status, Redirects, ::testing::Values(301, 302, 303, 307, 308));

TEST_F(WireFaults, APageTokenThatComesAgainEndsTheList) {
  const std::string page = kPage.substr(0, kPage.size() - 1) + R"(,"nextPageToken":"again"})";
  const Ended ended = list({reply(200, page)});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out.find("q\tz"), ended.out.rfind("q\tz")) << "an item that comes twice is one";
  EXPECT_LE(requests, 3U);
}

TEST_F(WireFaults, AnEmptyPageIsNotTheEnd) {
  const Ended ended = list(
      {reply(200, R"({"nextPageToken":"a"})"), reply(200, R"({"nextPageToken":"b"})"), reply(200, kPage)});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out.rfind("q\tz", 0), 0U) << ended.out;
}

TEST_F(WireFaults, AHostThatDoesNotExistIsSaidAtOnce) {
  const auto began = std::chrono::steady_clock::now();
  const Ended ended = ask("https://no-such-host.invalid", {"list"});
  EXPECT_EQ(ended.code, 8) << ended.err;
  expect_says(ended, {"no-such-host.invalid"});
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

struct Identity {
  const char* name;
  const char* host;
  long valid_for;
  bool trusted;
};
class WrongIdentity : public WireFaults, public ::testing::WithParamInterface<Identity> {};

TEST_P(WrongIdentity, IsDeniedOnceAndGetsNoRequest) {
  const SelfSigned identity = make_certificate(GetParam().host, GetParam().valid_for);
  const SelfSigned other = make_certificate("127.0.0.1");
  ASSERT_TRUE(
      write_file_atomically(user.home() / "ca.pem", (GetParam().trusted ? identity : other).certificate)
          .ok());
  const TlsServer server(identity);
  const Ended ended = ask(server.url("127.0.0.1"), {"list", "--ca-file", user.home() / "ca.pem"});
  EXPECT_EQ(ended.code, 4) << ended.err;
  expect_says(ended, {"slipway: list: ", "why: "});
  EXPECT_EQ(server.received(), 0U);
}
INSTANTIATE_TEST_SUITE_P(Certificates, WrongIdentity,
                         ::testing::Values(Identity{"SelfSigned", "127.0.0.1", 3600, false},
                                           Identity{"OfAnotherHost", "tpu.googleapis.com", 3600, true},
                                           Identity{"Expired", "127.0.0.1", -60, true}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(WireFaults, PollingCostsOneConnection) {
  const auto in = [](const std::string& state) {
    return reply(
        200, R"({"name":"projects/p/locations/z/queuedResources/q","state":{"state":")" + state + R"("}})");
  };
  RawHttpServer server({in("ACCEPTED"), in("WAITING_FOR_RESOURCES"), in("PROVISIONING"), in("ACTIVE")});
  const Ended ended = ask(server.url(), {"wait", "q"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(server.requests().size(), 4U);
  EXPECT_EQ(server.connections(), 1U);
}

TEST_F(WireFaults, TheTokenIsInNothingThatIsSaid) {
  for (const RawReply& broken :
       {reply(401, "{}"), reply(403, "ya29"), reply(400, "{}"), RawReply{"SSH-2.0\r\n", Then::kClose}}) {
    RawHttpServer server({broken});
    const Ended ended = ask(server.url(), {"list", "-vv"});
    EXPECT_EQ((ended.out + ended.err).find("wire-canary"), std::string::npos) << ended.err;
  }
}

}  // namespace
}  // namespace slipway::test
