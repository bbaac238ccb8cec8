#include "tpu/impersonation.h"

#include "signed_in.h"

namespace slipway::tpu {
namespace {

using test::answer;
using test::FakeTransport;

const http::Answer kToken = answer(200, R"({"access_token":"ya29.source","expires_in":3600})");
const http::Answer kIam = answer(200, R"({"accessToken":"ya29.target","expireTime":"2026-11-20T09:00:00Z"})");
const Json kUser = {{"type", "authorized_user"},
                    {"client_id", "cid"},
                    {"client_secret", "csec-secret"},
                    {"refresh_token", "1//refresh"},
                    {"quota_project_id", "of-the-user"}};
constexpr const char* kUrl =
    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/"
    "target@p.iam.gserviceaccount.com:generateAccessToken";

class ImpersonationTest : public SignedIn {};

TEST_F(ImpersonationTest, TheLastOfAListIsTheTargetAndThoseBeforeAreDelegates) {
  use(kUser);
  FakeTransport transport({kToken, kIam});
  EXPECT_EQ(
      token(
          transport,
          {.impersonate_service_account =
               "a@p.iam.gserviceaccount.com, b@p.iam.gserviceaccount.com,target@p.iam.gserviceaccount.com"}),
      "ya29.target");
  const http::Request& request = transport.requests.at(1);
  EXPECT_EQ(request.url, kUrl);
  EXPECT_EQ(request.bearer.reveal(), "ya29.source");
  EXPECT_EQ(*parse_json(request.body),
            *parse_json(R"({"delegates":["projects/-/serviceAccounts/a@p.iam.gserviceaccount.com",
            "projects/-/serviceAccounts/b@p.iam.gserviceaccount.com"],
            "scope":["https://www.googleapis.com/auth/cloud-platform"],"lifetime":"3600s"})"));
}

TEST_F(ImpersonationTest, GcloudsSettingCountsAndTheFlagWinsOverIt) {
  use(kUser);
  set("CLOUDSDK_AUTH_IMPERSONATE_SERVICE_ACCOUNT", "set@p.iam.gserviceaccount.com");
  FakeTransport transport({kToken, kIam});
  EXPECT_EQ(token(transport), "ya29.target");
  EXPECT_NE(transport.requests.at(1).url.find("/set@p."), std::string::npos);
  EXPECT_EQ(find(transport).value()->quota_project(), "") << "the user's own project is not the target's";
  const auto by_flag = find(transport, {.impersonate_service_account = "flag@p.iam.gserviceaccount.com"});
  EXPECT_NE((*by_flag)->description().find("flag@p"), std::string::npos);
  EXPECT_EQ((*by_flag)->shell_command(),
            "gcloud auth print-access-token --impersonate-service-account=flag@p.iam.gserviceaccount.com");
}

TEST_F(ImpersonationTest, AGivenTokenCanImpersonateToo) {
  FakeTransport transport({kIam});
  EXPECT_EQ(token(transport, {.access_token_file = write("t", "ya29.given"),
                              .impersonate_service_account = "target@p.iam.gserviceaccount.com"}),
            "ya29.target");
  EXPECT_EQ(transport.requests.at(0).bearer.reveal(), "ya29.given");
}

TEST_F(ImpersonationTest, AFileMayImpersonateWithDelegatesAndAnyOfThreeSources) {
  const test::ServiceKey key;
  const Json sources[] = {kUser,
                          {{"type", "service_account"}, {"client_email", "sa@p"}, {"private_key", key.pem()}},
                          {{"type", "external_account_authorized_user"},
                           {"client_id", "cid"},
                           {"client_secret", "workforce-secret"},
                           {"refresh_token", "1//workforce"},
                           {"token_url", "https://sts.googleapis.com/v1/oauthtoken"}}};
  for (const Json& source : sources) {
    use({{"type", "impersonated_service_account"},
         {"service_account_impersonation_url", kUrl},
         {"delegates", {"projects/-/serviceAccounts/d@p"}},
         {"source_credentials", source},
         {"quota_project_id", "qp"}});
    FakeTransport transport({kToken, kIam});
    EXPECT_EQ(token(transport), "ya29.target") << source;
    EXPECT_EQ((*parse_json(transport.requests.at(1).body))["delegates"],
              Json({"projects/-/serviceAccounts/d@p"}));
    EXPECT_EQ(find(transport).value()->quota_project(), "qp");
  }
}

TEST_F(ImpersonationTest, AWorkforceUsersSecretIsBasicAuthenticationAndItsNewRefreshTokenReplacesTheOld) {
  use({{"type", "external_account_authorized_user"},
       {"client_id", "cid"},
       {"client_secret", "workforce-secret"},
       {"refresh_token", "1//first"},
       {"token_url", "https://sts.googleapis.com/v1/oauthtoken"}});
  FakeTransport transport(
      {answer(200, R"({"access_token":"ya29.a","expires_in":3600,"refresh_token":"1//second"})"), kToken});
  auto source = find(transport);
  EXPECT_EQ((*source)->token()->reveal(), "ya29.a");
  const http::Request& request = transport.requests.at(0);
  EXPECT_EQ(request.url, "https://sts.googleapis.com/v1/oauthtoken");
  EXPECT_EQ(request.headers.back().second, "Basic " + base64_encode("cid:workforce-secret"));
  EXPECT_EQ(test::parse_form(request.body),
            Json({{"grant_type", "refresh_token"}, {"refresh_token", "1//first"}}));
  EXPECT_TRUE((*source)->refresh());
  EXPECT_EQ((*source)->token()->reveal(), "ya29.source");
  EXPECT_EQ(test::parse_form(transport.requests.at(1).body)["refresh_token"], "1//second");
}

TEST_F(ImpersonationTest, ASourceTokenThatIamRefusesIsFetchedAgainOnce) {
  use(kUser);
  FakeTransport transport({kToken, answer(401, "{}"), kToken, kIam});
  EXPECT_EQ(token(transport, {.impersonate_service_account = "t@p"}), "ya29.target");
  EXPECT_EQ(transport.requests.size(), 4u);
  FakeTransport hopeless(
      {kToken, answer(401, R"({"error":{"message":"bad token"}})"), kToken, answer(401, "{}")});
  const Result<Secret> found = find(hopeless, {.impersonate_service_account = "t@p"}).value()->token();
  EXPECT_EQ(found.error().code(), ErrorCode::kDenied);
  EXPECT_EQ(hopeless.requests.size(), 4u);
}

TEST_F(ImpersonationTest, ARefusalSaysWhichRoleIsMissing) {
  use(kUser);
  FakeTransport transport(
      {kToken,
       answer(403,
              R"({"error":{"code":403,"message":"Permission iam.serviceAccounts.getAccessToken denied"}})")});
  const Result<Secret> found = find(transport, {.impersonate_service_account = "t@p"}).value()->token();
  EXPECT_EQ(found.error().code(), ErrorCode::kDenied);
  EXPECT_NE(found.error().why().find("getAccessToken denied"), std::string::npos);
  EXPECT_NE(found.error().next().find("roles/iam.serviceAccountTokenCreator"), std::string::npos);
}

TEST_F(ImpersonationTest, TheEndIsCountedByTheServersClock) {
  use(kUser);
  FakeTransport transport(
      {kToken, answer(200, R"({"accessToken":"ya29.target","expireTime":"2026-11-20T12:00:00Z"})",
                      {{"date", "Fri, 20 Nov 2026 11:00:00 GMT"}})});  // ours says 08:00
  auto source = find(transport, {.impersonate_service_account = "t@p"});
  ASSERT_TRUE((*source)->token().ok());
  clock_.advance(std::chrono::minutes(54));
  ASSERT_TRUE((*source)->token().ok());
  EXPECT_EQ(transport.requests.size(), 2u);
  clock_.advance(std::chrono::minutes(1));
  ASSERT_TRUE((*source)->token().ok());
  EXPECT_GT(transport.requests.size(), 2u) << "an hour by Google's clock";
}

TEST_F(ImpersonationTest, WhatIsNoAccountIsRefusedBeforeAnythingIsSent) {
  use(kUser);
  FakeTransport transport({kToken});
  for (const char* text : {",", "a@p,", "a@p/../../x", "a b@p", "a@p?x"}) {
    EXPECT_EQ(find(transport, {.impersonate_service_account = text}).error().code(), ErrorCode::kUsage)
        << text;
  }
  EXPECT_TRUE(transport.requests.empty());
}

TEST_F(ImpersonationTest, AnEndpointElsewhereGetsNoToken) {
  use(kUser);
  set("CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS", "https://iam.evil.test/");
  FakeTransport transport({kToken, kIam});
  const Result<Secret> found = find(transport, {.impersonate_service_account = "t@p"}).value()->token();
  EXPECT_EQ(found.error().code(), ErrorCode::kUsage);
  EXPECT_EQ(transport.requests.size(), 1u) << "the user's own exchange only";
}

}  // namespace
}  // namespace slipway::tpu
