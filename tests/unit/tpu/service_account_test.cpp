#include "tpu/service_account.h"

#include "signed_in.h"
#include "slipway/tpu/client.h"

namespace slipway::tpu {
namespace {

using test::answer;
using test::FakeTransport;

constexpr int kNow = 1795161600;  // 2026-11-20T08:00:00Z
const http::Answer kToken = answer(200, R"({"access_token":"ya29.exchanged","expires_in":3600})");
const std::map<std::string, std::string> kTwentyPastEight = {{"date", "Fri, 20 Nov 2026 08:20:00 GMT"}};

class ServiceAccount : public SignedIn {
 protected:
  void sign_in(const Json& more = Json::object()) {
    Json file = {{"type", "service_account"},
                 {"client_email", "sa@p.iam.gserviceaccount.com"},
                 {"private_key", key_.pem()}};
    file.update(more);
    use(file);
  }
  Json claims_of(const http::Request& request) const {
    return test::open_jwt(string_member(test::parse_form(request.body), "assertion"), key_).claims;
  }
  test::ServiceKey key_;
};

TEST_F(ServiceAccount, AnAssertionThatIsRefusedForOurClockIsDatedByTheServersAndSentAgain) {
  sign_in();
  FakeTransport transport(
      {answer(400, R"({"error":"invalid_grant","error_description":"Invalid JWT: iat"})", kTwentyPastEight),
       kToken});
  auto source = find(transport);
  EXPECT_EQ((*source)->token()->reveal(), "ya29.exchanged");
  EXPECT_EQ(claims_of(transport.requests.at(0))["iat"], kNow);
  EXPECT_EQ(claims_of(transport.requests.at(1))["iat"], kNow + 1200);
  EXPECT_TRUE((*source)->refresh());
  ASSERT_TRUE((*source)->token().ok());
  EXPECT_EQ(claims_of(transport.requests.at(2))["iat"], kNow + 1200) << "what was learned is kept";
}

TEST_F(ServiceAccount, ARefusalWithARightClockIsNotRepeated) {
  sign_in();
  FakeTransport transport({answer(400, R"({"error":"invalid_grant","error_description":"account not found"})",
                                  {{"date", "Fri, 20 Nov 2026 08:00:05 GMT"}})});
  const Result<Secret> found = find(transport).value()->token();
  EXPECT_EQ(found.error().code(), ErrorCode::kDenied);
  EXPECT_EQ(found.error().next(),
            "gcloud iam service-accounts keys list --iam-account sa@p.iam.gserviceaccount.com");
  EXPECT_EQ(transport.requests.size(), 1u);
}

TEST_F(ServiceAccount, ASelfSignedTokenIsDatedByTheApiThatRefusedTheLast) {
  sign_in();
  set("CLOUDSDK_AUTH_SERVICE_ACCOUNT_USE_SELF_SIGNED_JWT", "true");
  FakeTransport transport({answer(401, "{}", kTwentyPastEight),
                           answer(200, R"({"name":"projects/p/locations/z/queuedResources/q"})")});
  auto source = find(transport);
  Client client(transport, clock_, **source, {});
  ASSERT_TRUE(client.get({{"p", "z"}, "q"}).ok());
  ASSERT_EQ(transport.requests.size(), 2u);
  EXPECT_EQ(test::open_jwt(transport.requests[0].bearer.reveal(), key_).claims["iat"], kNow);
  EXPECT_EQ(test::open_jwt(transport.requests[1].bearer.reveal(), key_).claims["iat"], kNow + 1200);
}

TEST_F(ServiceAccount, AFileDoesNotSendItsAssertionToAStranger) {
  sign_in({{"token_uri", "https://oauth2.evil.test/token"}});
  FakeTransport transport({kToken});
  EXPECT_EQ(find(transport).value()->token().error().code(), ErrorCode::kUsage);
  EXPECT_TRUE(transport.requests.empty());
}

TEST_F(ServiceAccount, CredentialsOfAnotherUniverseAreRefusedByName) {
  sign_in({{"universe_domain", "example.cloud"}});
  FakeTransport transport({kToken});
  const auto source = find(transport);
  EXPECT_EQ(source.error().code(), ErrorCode::kUsage);
  EXPECT_NE(source.error().message().find("example.cloud"), std::string::npos);
  sign_in();
  set("CLOUDSDK_CORE_UNIVERSE_DOMAIN", "example.cloud");
  EXPECT_EQ(find(transport).error().next(), "gcloud config unset core/universe_domain");
}

TEST_F(ServiceAccount, ATokenEndpointIsTriedThreeTimesWithPausesOfOneAndTwoSeconds) {
  sign_in();
  for (const http::Answer& trouble :
       {answer(500, ""), answer(503, ""), answer(429, ""), answer(408, ""), test::lost(),
        answer(400, R"({"error":"temporarily_unavailable"})"), answer(400, R"({"error":"internal_failure"})"),
        answer(403, R"({"error":"x","error_description":"server_error"})")}) {
    FakeTransport transport({trouble, trouble, kToken});
    const auto began = clock_.now();
    EXPECT_EQ(token(transport), "ya29.exchanged");
    EXPECT_EQ(clock_.now() - began, std::chrono::seconds(3));
    FakeTransport dead({trouble});
    EXPECT_EQ(token(dead).substr(0, 5), "error");
    EXPECT_EQ(dead.requests.size(), 3u);
  }
  FakeTransport patient({answer(503, "", {{"retry-after", "7"}}), kToken});
  const auto began = clock_.now();
  EXPECT_EQ(token(patient), "ya29.exchanged");
  EXPECT_EQ(clock_.now() - began, std::chrono::seconds(7));
}

TEST_F(ServiceAccount, ManyCallsAtOnceShareOneFetchAndOneRefresh) {
  sign_in();
  FakeTransport transport;
  int fetches = 0;
  transport.respond = [&](const http::Request& request) {
    if (request.method == "POST")
      return answer(200, "{\"access_token\":\"ya29.number-" + std::to_string(++fetches) + "\"}");
    return request.bearer.reveal() == "ya29.number-2"
               ? answer(200, R"({"name":"projects/p/locations/z/nodes/n"})")
               : answer(401, "{}");
  };
  auto source = find(transport);
  Client client(transport, clock_, **source, {});
  for (const auto& node : client.get_nodes({{{"p", "z"}, "a"}, {{"p", "z"}, "b"}, {{"p", "z"}, "c"}}))
    EXPECT_TRUE(node.ok());
  EXPECT_EQ(fetches, 2);
}

TEST_F(ServiceAccount, WithoutCredentialsWantedNothingIsFetchedAndNothingSent) {
  sign_in();
  set("CLOUDSDK_AUTH_DISABLE_CREDENTIALS", "true");
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "");
  EXPECT_TRUE(transport.requests.empty());
}

}  // namespace
}  // namespace slipway::tpu
