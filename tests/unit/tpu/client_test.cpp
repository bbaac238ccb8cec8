#include "slipway/tpu/client.h"

#include <gtest/gtest.h>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "support/fake_transport.h"
#include "tpu/api_error.h"
#include "slipway/http/attempts.h"

namespace slipway::tpu {
namespace {

using std::chrono::seconds;
using test::answer;
using test::FakeClock;
using test::FakeTransport;
using test::lost;

/// Gives t1, and t2 after a refresh.
class CountedTokens final : public TokenSource {
 public:
  Result<Secret> token() override { return Secret(fmt::format("ya29.token-{}", number)); }
  bool refresh() override {
    if (!can_refresh) return false;
    ++number;
    return true;
  }
  std::string description() const override { return "test"; }
  std::string quota_project() const override { return project; }
  int number = 1;
  bool can_refresh = true;
  std::string project;
};

std::string resource(const std::string& id, const std::string& more = "") {
  return fmt::format(R"({{"name":"projects/123/locations/z/queuedResources/{}"{}}})", id, more);
}

std::string refusal(int code, const std::string& status, const std::string& message,
                    const std::string& details = "[]") {
  return fmt::format(R"({{"error":{{"code":{},"status":"{}","message":"{}","details":{}}}}})", code, status,
                     message, details);
}

const QueuedResourceName kName{{"p", "z"}, "q"};

class ClientTest : public ::testing::Test {
 protected:
  Client client(FakeTransport& transport, ClientOptions options = {}) {
    return Client(transport, clock_, tokens_, std::move(options), [] { return 0.5; });
  }
  FakeClock clock_;
  CountedTokens tokens_;
};

TEST_F(ClientTest, AResourceIsNamedAsItWasAskedForEvenIfTheApiNamesTheProjectByNumber) {
  FakeTransport transport({answer(200, resource("q"))});
  const auto found = client(transport).get(kName);
  ASSERT_TRUE(found.ok()) << found.error().why();
  EXPECT_EQ(found->name, kName);
  EXPECT_EQ(transport.requests[0].url,
            "https://tpu.googleapis.com/v2/projects/p/locations/z/queuedResources/q");
  EXPECT_EQ(transport.requests[0].bearer.reveal(), "ya29.token-1");
}

TEST_F(ClientTest, NoNameCanLeaveItsPlaceInThePath) {
  FakeTransport transport({answer(200, resource("q"))});
  static_cast<void>(client(transport).get({{"p", "z"}, "a%2F..:reset?x#y"}));
  EXPECT_EQ(transport.requests[0].url,
            "https://tpu.googleapis.com/v2/projects/p/locations/z/queuedResources/a%252F..%3Areset%3Fx%23y");
}

TEST_F(ClientTest, TheTokenGoesToGoogleAndToLoopback) {
  for (const char* endpoint :
       {"https://tpu.googleapis.com", "https://tpu.mtls.googleapis.com", "http://127.0.0.1:9/"}) {
    FakeTransport transport({answer(200, resource("q"))});
    EXPECT_TRUE(client(transport, {.endpoint = endpoint}).get(kName).ok()) << endpoint;
  }
}

TEST_F(ClientTest, TheTokenGoesNowhereElseUnlessTheUserNamedTheEndpoint) {
  for (const char* endpoint :
       {"https://evil.test", "https://googleapis.com.evil.test", "https://evilgoogleapis.com"}) {
    FakeTransport transport({answer(200, resource("q"))});
    const auto found = client(transport, {.endpoint = endpoint}).get(kName);
    ASSERT_FALSE(found.ok()) << endpoint;
    EXPECT_EQ(found.error().code(), ErrorCode::kUsage);
    EXPECT_TRUE(transport.requests.empty());
    EXPECT_TRUE(client(transport, {.endpoint = endpoint, .allow_host = true}).get(kName).ok()) << endpoint;
  }
}

TEST_F(ClientTest, AnEndpointThatIsNoAddressIsAUsageError) {
  for (const char* endpoint : {"", "ftp://x", "https://user:password@tpu.googleapis.com"}) {
    FakeTransport transport({answer(200, resource("q"))});
    EXPECT_EQ(client(transport, {.endpoint = endpoint, .allow_host = true}).get(kName).error().code(),
              ErrorCode::kUsage);
    EXPECT_TRUE(transport.requests.empty());
  }
}

TEST_F(ClientTest, TheQuotaProjectIsTheOptionsElseTheCredentials) {
  tokens_.project = "of-the-file";
  FakeTransport transport;
  const Call call = get_call(kName);
  const auto header = [](const http::Request& request) {
    for (const auto& [key, value] : request.headers) {
      if (key == "X-Goog-User-Project") return value;
    }
    return std::string();
  };
  EXPECT_EQ(header(client(transport).request_for(call)), "of-the-file");
  EXPECT_EQ(header(client(transport, {.quota_project = "asked"}).request_for(call)), "asked");
  tokens_.project = "";
  EXPECT_EQ(header(client(transport).request_for(call)), "");
}

TEST_F(ClientTest, ARefusedTokenIsRenewedOnce) {
  FakeTransport transport({answer(401, "{}"), answer(200, resource("q"))});
  EXPECT_TRUE(client(transport).get(kName).ok());
  EXPECT_EQ(transport.requests[1].bearer.reveal(), "ya29.token-2");
}

TEST_F(ClientTest, ATokenThatStaysRefusedIsAnErrorThatSaysHowToSignIn) {
  FakeTransport transport({answer(401, refusal(401, "UNAUTHENTICATED", "Request had invalid credentials."))});
  const auto found = client(transport).get(kName);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::kDenied);
  EXPECT_EQ(found.error().next(), "gcloud auth application-default login");
  EXPECT_EQ(transport.requests.size(), 2u);

  tokens_.can_refresh = false;
  FakeTransport second({answer(401, "{}")});
  EXPECT_EQ(client(second).get(kName).error().code(), ErrorCode::kDenied);
  EXPECT_EQ(second.requests.size(), 1u);
}

struct Refusal {
  int http;
  const char* status;
  const char* details;
  ErrorCode code;
  const char* said;
};

TEST_F(ClientTest, EachRefusalHasItsCodeAndSaysWhatTheApiSaid) {
  const Refusal cases[] = {
      {400, "INVALID_ARGUMENT",
       R"([{"@type":"t/google.rpc.BadRequest","fieldViolations":[{"field":"tpu.node_spec","description":"bad type"}]}])",
       ErrorCode::kFailed, "tpu.node_spec: bad type"},
      {400, "FAILED_PRECONDITION", "[]", ErrorCode::kConflict, "MESSAGE"},
      {403, "PERMISSION_DENIED",
       R"([{"@type":"t/google.rpc.ErrorInfo","reason":"IAM_PERMISSION_DENIED","metadata":{"permission":"tpu.nodes.get"}}])",
       ErrorCode::kDenied, "tpu.nodes.get"},
      {404, "NOT_FOUND", "[]", ErrorCode::kNotFound, "MESSAGE"},
      {409, "ALREADY_EXISTS", "[]", ErrorCode::kConflict, "MESSAGE"},
      {412, "FAILED_PRECONDITION", "[]", ErrorCode::kConflict, "MESSAGE"},
      {429, "RESOURCE_EXHAUSTED",
       R"([{"@type":"t/google.rpc.QuotaFailure","violations":[{"subject":"p","description":"TPUV4"}]}])",
       ErrorCode::kQuota, "p: TPUV4"},
      {429, "RESOURCE_EXHAUSTED", "[]", ErrorCode::kQuota, "MESSAGE"},
      {429, "RESOURCE_EXHAUSTED", R"([{"reason":"RATE_LIMIT_EXCEEDED"}])", ErrorCode::kUnavailable,
       "MESSAGE"},
      {500, "INTERNAL", "[]", ErrorCode::kUnavailable, "MESSAGE"},
      {503, "UNAVAILABLE", R"([{"links":[{"url":"https://status.cloud.google.com"}]}])",
       ErrorCode::kUnavailable, "https://status"},
  };
  for (const Refusal& one : cases) {
    FakeTransport transport({answer(one.http, refusal(one.http, one.status, "MESSAGE", one.details))});
    const auto found = client(transport).get(kName);
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code(), one.code) << one.http << one.status << one.details;
    EXPECT_NE(found.error().why().find(one.said), std::string::npos) << found.error().why();
    EXPECT_NE(found.error().message().find("'q'"), std::string::npos);
    EXPECT_NE(found.error().message().find(std::to_string(one.http)), std::string::npos);
  }
}

TEST_F(ClientTest, ADisabledApiSaysHowToEnableIt) {
  FakeTransport transport({answer(
      403, refusal(403, "PERMISSION_DENIED", "it is disabled", R"([{"reason":"SERVICE_DISABLED"}])"))});
  EXPECT_EQ(client(transport).get(kName).error().next(), "gcloud services enable tpu.googleapis.com");
}

TEST_F(ClientTest, ARedirectIsAnErrorThatNamesItsTarget) {
  FakeTransport transport({answer(302, "<html>", {{"location", "https://login.evil.test/"}})});
  const auto found = client(transport).get(kName);
  EXPECT_EQ(found.error().code(), ErrorCode::kFailed);
  EXPECT_NE(found.error().why().find("https://login.evil.test/"), std::string::npos);
  EXPECT_EQ(transport.requests.size(), 1u);
}

TEST_F(ClientTest, AnErrorPageOfAProxyIsShownByItsFirstWords) {
  FakeTransport transport({answer(502, "<html><title>Bad\x1b[31m Gateway</title>")});
  const auto found = client(transport).get(kName);
  EXPECT_EQ(found.error().code(), ErrorCode::kUnavailable);
  EXPECT_NE(found.error().why().find("Bad"), std::string::npos);
  EXPECT_EQ(found.error().why().find('\x1b'), std::string::npos);
}

TEST_F(ClientTest, AListHasAllPagesAndNothingTwice) {
  FakeTransport transport({
      answer(200, fmt::format(R"({{"queuedResources":[{},{}],"nextPageToken":"t1","unreachable":["z9"]}})",
                              resource("a"), resource("b"))),
      answer(200, fmt::format(R"({{"queuedResources":[{}],"nextPageToken":"t2","unreachable":["z9"]}})",
                              resource("b"))),
      answer(200, R"({"nextPageToken":"t3"})"),
      answer(200, fmt::format(R"({{"queuedResources":[{}],"nextPageToken":"t1"}})", resource("c"))),
  });
  const auto list = client(transport).list({"p", "-"});
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->resources.size(), 3u);
  EXPECT_EQ(list->resources[2].name.id, "c");
  EXPECT_EQ(list->unreachable, std::vector<std::string>{"z9"});
  EXPECT_EQ(transport.requests.size(), 4u);
  EXPECT_NE(transport.requests[1].url.find("pageToken=t1"), std::string::npos);
}

TEST_F(ClientTest, AListStopsAtItsLimitAndAsksForNoMore) {
  FakeTransport transport({answer(200, fmt::format(R"({{"queuedResources":[{},{}],"nextPageToken":"t1"}})",
                                                   resource("a"), resource("b"))),
                           answer(200, fmt::format(R"({{"queuedResources":[{},{}],"nextPageToken":"t2"}})",
                                                   resource("c"), resource("d")))});
  const auto list = client(transport).list({"p", "z"}, {.page_size = 2, .limit = 3});
  EXPECT_EQ(list->resources.size(), 3u);
  EXPECT_NE(transport.requests[0].url.find("pageSize=2"), std::string::npos);
  EXPECT_NE(transport.requests[1].url.find("pageSize=1"), std::string::npos);
  EXPECT_EQ(transport.requests.size(), 2u);
}

TEST_F(ClientTest, AFailedPageIsAnErrorAndNotAShorterList) {
  FakeTransport transport(
      {answer(200, fmt::format(R"({{"queuedResources":[{}],"nextPageToken":"t1"}})", resource("a"))),
       answer(403, "{}")});
  EXPECT_FALSE(client(transport).list({"p", "z"}).ok());
}

TEST_F(ClientTest, NodesComeInTheOrderAskedForEachWithItsOwnError) {
  FakeTransport transport;
  transport.respond = [](const http::Request& request) {
    const std::string id = request.url.substr(request.url.rfind('/') + 1);
    if (id == "s-1") return answer(404, "{}");
    return answer(200, fmt::format(R"({{"name":"projects/1/locations/z/nodes/{}","state":"READY"}})", id));
  };
  const auto nodes =
      client(transport).get_nodes({{{"p", "z"}, "s-0"}, {{"p", "z"}, "s-1"}, {{"p", "z"}, "s-2"}});
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0]->name.path(), "projects/p/locations/z/nodes/s-0");
  EXPECT_EQ(nodes[1].error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(nodes[2].ok());
}

TEST_F(ClientTest, AResetIsNotRepeatedWhenItsAnswerIsLost) {
  FakeTransport transport({lost(), answer(200, "{}")});
  EXPECT_EQ(client(transport).reset(kName).error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(transport.requests.size(), 1u);
}

CreateBody body() {
  CreateSpec spec;
  spec.node_count = 2;
  spec.node_id_prefix = "s";
  spec.accelerator_type = "V4-16";
  spec.runtime_version = "r";
  return create_body(kName.location, spec);
}

std::string made(const std::string& create_time, const std::string& accelerator = "v4-16") {
  return resource(
      "q",
      fmt::format(
          R"(,"createTime":"{}","tpu":{{"nodeSpec":[{{"nodeId":"s-0","node":{{"acceleratorType":"{}","runtimeVersion":"r","networkConfig":{{"network":"default"}}}}}},{{"nodeId":"s-1","node":{{"acceleratorType":"{}","runtimeVersion":"r","networkConfig":{{"network":"default"}}}}}}]}})",
          create_time, accelerator, accelerator));
}

/// POSTs meet `posts` one after the other; GETs find `found`.
FakeTransport api(std::vector<http::Answer> posts, http::Answer found) {
  FakeTransport transport;
  auto used = std::make_shared<std::size_t>(0);
  transport.respond = [posts, found, used](const http::Request& request) {
    return request.method == "GET" ? found : posts.at((*used)++);
  };
  return transport;
}

const http::Answer kExists =
    answer(409, refusal(409, "ALREADY_EXISTS", "exists"), {{"date", "Fri, 20 Nov 2026 08:10:00 GMT"}});

TEST_F(ClientTest, ACreateCarriesTheSameRequestIdInEachTry) {
  FakeTransport transport(
      {lost(), answer(503, ""), answer(200, R"({"name":"projects/p/locations/z/operations/o"})")});
  const auto operation = client(transport).create(kName, body(), "11111111-2222-4333-8444-555555555555");
  ASSERT_TRUE(operation.ok());
  EXPECT_EQ(operation->name, "projects/p/locations/z/operations/o");
  ASSERT_EQ(transport.requests.size(), 3u);
  for (const http::Request& request : transport.requests) {
    EXPECT_EQ(request.url,
              "https://tpu.googleapis.com/v2/projects/p/locations/z/"
              "queuedResources?queuedResourceId=q&requestId=11111111-2222-4333-8444-555555555555");
    EXPECT_EQ(request.body, transport.requests[0].body);
  }
}

TEST_F(ClientTest, AConflictAfterALostAnswerIsOurOwnResource) {
  FakeTransport transport = api({lost(), kExists}, answer(200, made("2026-11-20T08:09:59.5Z")));
  const auto operation = client(transport).create(kName, body(), "id");
  ASSERT_TRUE(operation.ok()) << operation.error().message();
  EXPECT_TRUE(operation->done);
  EXPECT_EQ(operation->target, kName.path());
}

TEST_F(ClientTest, AConflictAfterALostAnswerStaysOneWhenTheResourceIsOlderThanOurFirstTry) {
  FakeTransport transport = api({lost(), kExists}, answer(200, made("2026-11-20T08:08:00Z")));
  EXPECT_EQ(client(transport).create(kName, body(), "id").error().code(), ErrorCode::kConflict);
}

TEST_F(ClientTest, AConflictAfterALostAnswerStaysOneWhenTheResourceIsAnotherOne) {
  FakeTransport transport = api({lost(), kExists}, answer(200, made("2026-11-20T08:09:59.5Z", "v4-32")));
  EXPECT_EQ(client(transport).create(kName, body(), "id").error().code(), ErrorCode::kConflict);
}

TEST_F(ClientTest, AConflictOnTheFirstTryIsOne) {
  FakeTransport transport = api({kExists}, answer(200, made("2026-11-20T08:09:59.5Z")));
  EXPECT_EQ(client(transport).create(kName, body(), "id").error().code(), ErrorCode::kConflict);
  EXPECT_EQ(transport.requests.size(), 1u);
}

TEST_F(ClientTest, AConflictOnTheFirstTryIsOursWhenAnEarlierProcessMayHaveSentIt) {
  const auto since = clock_.wall_now() - seconds(30);
  FakeTransport ours = api({kExists}, answer(200, made("2026-11-20T08:09:45Z")));
  EXPECT_TRUE(client(ours).create(kName, body(), "id", since).ok()) << "made after that process began";
  FakeTransport older = api({kExists}, answer(200, made("2026-11-20T08:09:20Z")));
  EXPECT_EQ(client(older).create(kName, body(), "id", since).error().code(), ErrorCode::kConflict);
}

TEST_F(ClientTest, ACreateThatNobodyAnswersSaysHowToLook) {
  FakeTransport transport({lost()});
  const auto operation = client(transport, {.call_deadline = seconds(5)}).create(kName, body(), "id");
  EXPECT_EQ(operation.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(operation.error().next(), "slipway describe q --project p --zone z");
}

TEST_F(ClientTest, A404OnADeleteAfterALostAnswerIsTheDelete) {
  FakeTransport transport({lost(), answer(404, refusal(404, "NOT_FOUND", "gone"))});
  const auto operation = client(transport).remove(kName, true, "id");
  ASSERT_TRUE(operation.ok());
  EXPECT_TRUE(operation->done);
  EXPECT_EQ(transport.requests[0].url,
            "https://tpu.googleapis.com/v2/projects/p/locations/z/queuedResources/q?force=true&requestId=id");
}

TEST_F(ClientTest, A404OnTheFirstDeleteIsNotFound) {
  FakeTransport transport({answer(404, refusal(404, "NOT_FOUND", "gone"))});
  EXPECT_EQ(client(transport).remove(kName, false, "id").error().code(), ErrorCode::kNotFound);
}

TEST_F(ClientTest, AnInterruptBetweenTriesIsPassedOn) {
  FakeTransport transport({lost()});
  clock_.sleeps_left = 0;
  EXPECT_EQ(client(transport).get(kName).error().code(), ErrorCode::kInterrupted);
}

TEST_F(ClientTest, MetadataIsSentAsAWholeAndNeverTwice) {
  FakeTransport transport({answer(200, R"({"name":"projects/p/locations/z/operations/o"})"), lost()});
  EXPECT_TRUE(client(transport).set_metadata({{"p", "z"}, "n"}, {{"a", "1"}, {"b", "\"\n"}}).ok());
  EXPECT_EQ(transport.requests[0].method, "PATCH");
  EXPECT_EQ(transport.requests[0].url,
            "https://tpu.googleapis.com/v2/projects/p/locations/z/nodes/n?updateMask=metadata");
  EXPECT_EQ(transport.requests[0].body, R"({"metadata":{"a":"1","b":"\"\n"}})");
  // It may have arrived, and somebody else may have changed them since.
  EXPECT_FALSE(client(transport).set_metadata({{"p", "z"}, "n"}, {{"a", "2"}}).ok());
  EXPECT_EQ(transport.requests.size(), 2U);
}

TEST_F(ClientTest, AllPagesOfAZonesNodesAreRead) {
  const auto node = [](const std::string& id) {
    return R"({"name":"projects/1/locations/z/nodes/)" + id + R"("})";
  };
  FakeTransport transport(
      {answer(200, R"({"nodes":[)" + node("a") + "," + node("b") + R"(],"nextPageToken":"t 2"})"),
       answer(200, R"({"nodes":[)" + node("c") + "]}")});
  const auto nodes = client(transport).list_nodes({"p", "z"});
  ASSERT_TRUE(nodes.ok()) << nodes.error().why();
  ASSERT_EQ(nodes->size(), 3U);
  EXPECT_EQ((*nodes)[2].name.id, "c");
  EXPECT_EQ(transport.requests[1].url,
            "https://tpu.googleapis.com/v2/projects/p/locations/z/nodes?pageToken=t%202");
}

TEST_F(ClientTest, AServerThatRepeatsItsPageTokenDoesNotKeepUsForever) {
  FakeTransport transport({answer(200, R"({"nextPageToken":"same"})")});
  EXPECT_TRUE(client(transport).list_nodes({"p", "z"}).ok());
  EXPECT_EQ(transport.requests.size(), 2U);
}

}  // namespace
}  // namespace slipway::tpu
