// Each recording of gcloud's ways to get a token (tests/golden/wire-auth), done by us against a real server
// on loopback.
#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/http/curl_transport.h"
#include "slipway/tpu/client.h"
#include "support/raw_http_server.h"
#include "signed_in.h"

namespace slipway::tpu {
namespace {

using test::RawReply;
using test::RawRequest;
using test::reply;

constexpr const char* kScope = "https://www.googleapis.com/auth/cloud-platform";
const RawReply kOauth = reply(200, R"({"access_token":"ya29.exchanged","expires_in":3599})");
const RawReply kSts = reply(200, R"({"access_token":"ya29.federated","expires_in":3599})");
const RawReply kIam =
    reply(200, R"({"accessToken":"ya29.impersonated","expireTime":"2099-01-01T00:00:00Z"})");
const RawReply kMetadata =
    reply(200, R"({"access_token":"ya29.gce","expires_in":1800})", "Metadata-Flavor: Google\r\n");
const RawReply kResource =
    reply(200, R"({"name":"projects/test-project/locations/us-central2-b/queuedResources/qr-a"})");

Json read_capture(const std::string& name) {
  const auto text = read_file(std::string(SLIPWAY_SOURCE_DIR) + "/tests/golden/wire-auth/" + name + ".json");
  const Result<Json> capture = parse_json(text.ok() ? *text : "");
  EXPECT_TRUE(capture.ok()) << name;
  return capture.ok() ? *capture : Json();
}

/// One of gcloud's six scopes is enough for us; it must be among them.
void expect_narrower_scopes(const std::vector<std::string>& ours, const std::vector<std::string>& gclouds) {
  for (const std::string& scope : ours)
    EXPECT_NE(std::find(gclouds.begin(), gclouds.end(), scope), gclouds.end()) << scope;
}

void expect_form(const RawRequest& request, Json wanted) {
  Json form = test::parse_form(request.body);
  if (wanted.contains("scope"))
    expect_narrower_scopes(split(form["scope"].get<std::string>(), ' '),
                           split(wanted["scope"].get<std::string>(), ' '));
  for (const char* key : {"scope", "assertion"}) {
    EXPECT_EQ(form.contains(key), wanted.contains(key)) << key;
    form.erase(key);
    wanted.erase(key);
  }
  EXPECT_EQ(nlohmann::json(form), nlohmann::json(wanted));
}

void expect_json(const RawRequest& request, Json wanted) {
  Json body = *parse_json(request.body);
  if (wanted["delegates"].is_null()) wanted.erase("delegates");
  expect_narrower_scopes(body["scope"].get<std::vector<std::string>>(),
                         wanted["scope"].get<std::vector<std::string>>());
  body.erase("scope");
  wanted.erase("scope");
  EXPECT_EQ(nlohmann::json(body), nlohmann::json(wanted));
}

/// Method, path, the headers that matter, and the body.
void expect_same(const RawRequest& request, const Json& captured) {
  EXPECT_EQ(request.line(), fmt::format("{} {} HTTP/1.1", string_member(captured, "method"),
                                        string_member(captured, "path")));
  for (const char* name : {"content-type", "authorization", "metadata-flavor", "x-goog-user-project"})
    EXPECT_EQ(request.header(name), string_member(captured["headers"], name)) << name;
  if (captured.contains("form")) expect_form(request, captured["form"]);
  if (captured.contains("json")) expect_json(request, captured["json"]);
}

class AuthCapture : public SignedIn {
 protected:
  /// Describes the recorded resource with a server that gives these answers; keeps what it got.
  void describe(const Json& capture, std::vector<RawReply> replies) {
    server_ = std::make_unique<test::RawHttpServer>(std::move(replies));
    for (const auto& [name, value] : capture["env"].items()) {
      if (name != "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE") set(name, value.get<std::string>());
    }
    if (!file_.is_null()) {
      for (auto& [key, value] : file_.items()) {
        if (value.is_string() && value.get<std::string>().rfind("SERVER", 0) == 0)
          value = server_->url(value.get<std::string>().substr(6));
      }
      set("CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE", write("override.json", dump_json(file_)));
    }
    set("CLOUDSDK_AUTH_TOKEN_HOST", server_->url("/token"));
    set("CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS", server_->url("/"));
    http::CurlTransport transport(nullptr, "slipway/test");
    auto source = find(transport);
    ASSERT_TRUE(source.ok()) << source.error().message() << ": " << source.error().why();
    Client client(transport, clock_, **source, {.endpoint = server_->url()});
    const auto resource = client.get({{"test-project", "us-central2-b"}, "qr-a"});
    ASSERT_TRUE(resource.ok()) << resource.error().message() << ": " << resource.error().why();
  }
  RawRequest got(std::size_t index) const { return server_->requests().at(index); }
  std::size_t count() const { return server_->requests().size(); }

  Json file_;
  std::unique_ptr<test::RawHttpServer> server_;
};

const Json kUser = {{"type", "authorized_user"},
                    {"client_id", "cid.apps.googleusercontent.com"},
                    {"client_secret", "csec"},
                    {"refresh_token", "1//rt"},
                    {"quota_project_id", "qp"}};
const Json kExternal = {
    {"type", "external_account"},
    {"audience",
     "//iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/pool/providers/prov"},
    {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
    {"token_url", "SERVER/sts/v1/token"}};

TEST_F(AuthCapture, AUser) {
  const Json capture = read_capture("auth_authorized_user");
  file_ = kUser;
  describe(capture, {kOauth, kResource});
  ASSERT_EQ(count(), 2u);
  expect_same(got(0), capture["auth_requests"][0]);
  expect_same(got(1), capture["api_requests"][0]);
}

TEST_F(AuthCapture, ATokenInTheEnvironment) {
  const Json capture = read_capture("auth_env_token");
  describe(capture, {kResource});
  ASSERT_EQ(count(), 1u);
  expect_same(got(0), capture["api_requests"][0]);
}

/// gcloud asks for an id token first, which nobody needs: that request is not made.
TEST_F(AuthCapture, AServiceAccount) {
  const Json capture = read_capture("auth_service_account");
  const test::ServiceKey key;
  file_ = {{"type", "service_account"},
           {"client_email", "sa@test-project.iam.gserviceaccount.com"},
           {"private_key_id", "kid123"},
           {"private_key", key.pem()}};
  describe(capture, {kOauth, kResource});
  ASSERT_EQ(count(), 2u);
  const Json& wanted = capture["auth_requests"][1];
  expect_same(got(0), wanted);
  const test::OpenedJwt jwt = test::open_jwt(string_member(test::parse_form(got(0).body), "assertion"), key);
  EXPECT_TRUE(jwt.is_signed);
  EXPECT_EQ(nlohmann::json(jwt.header), nlohmann::json(wanted["jwt_header"]));
  Json claims = jwt.claims;
  EXPECT_EQ(claims["exp"].get<int>() - claims["iat"].get<int>(), wanted["jwt_lifetime"].get<int>());
  EXPECT_EQ(claims["iss"], wanted["jwt_payload"]["iss"]);
  EXPECT_EQ(claims["aud"], wanted["jwt_payload"]["aud"]);
  expect_narrower_scopes({claims["scope"].get<std::string>()},
                         split(wanted["jwt_payload"]["scope"].get<std::string>(), ' '));
  EXPECT_EQ(claims.size(), wanted["jwt_payload"].size() + 2) << "iat and exp besides";
  expect_same(got(1), capture["api_requests"][0]);
}

/// gcloud still went to Google for an id token, so the recording ends in its error; AIP-4111 says what is
/// sent.
TEST_F(AuthCapture, AServiceAccountThatSignsItsOwnToken) {
  const Json capture = read_capture("auth_service_account_selfsigned");
  const test::ServiceKey key;
  file_ = {{"type", "service_account"},
           {"client_email", "sa@test-project.iam.gserviceaccount.com"},
           {"private_key_id", "kid123"},
           {"private_key", key.pem()}};
  describe(capture, {kResource});
  ASSERT_EQ(count(), 1u) << "nothing is exchanged";
  const std::string bearer = got(0).header("authorization");
  ASSERT_EQ(bearer.substr(0, 7), "Bearer ");
  const test::OpenedJwt jwt = test::open_jwt(bearer.substr(7), key);
  EXPECT_TRUE(jwt.is_signed);
  EXPECT_EQ(jwt.claims, Json({{"iss", "sa@test-project.iam.gserviceaccount.com"},
                              {"sub", "sa@test-project.iam.gserviceaccount.com"},
                              {"iat", 1795161600},
                              {"exp", 1795165200},
                              {"scope", kScope}}));
}

/// gcloud shows its own client to STS here, in order to ask later who the user is, and fails at that
/// question; the recording ends there. We show a client only when the file has one.
TEST_F(AuthCapture, AnExternalAccount) {
  Json wanted = read_capture("auth_external_account")["auth_requests"][0];
  EXPECT_EQ(string_member(wanted["headers"], "authorization"), "Basic <gcloud public client>");
  wanted["headers"].erase("authorization");
  file_ = kExternal;
  file_["credential_source"] = {{"file", write("subject", "subject.jwt.token")}};
  describe(read_capture("auth_external_account"), {kSts, kResource});
  ASSERT_EQ(count(), 2u);
  expect_same(got(0), wanted);
  EXPECT_EQ(got(1).header("authorization"), "Bearer ya29.federated");
}

TEST_F(AuthCapture, AnExternalAccountThatActsAsAServiceAccount) {
  const Json capture = read_capture("auth_external_account_sa");
  file_ = kExternal;
  file_["credential_source"] = {{"file", write("subject", "subject.jwt.token")}};
  file_["service_account_impersonation_url"] =
      "SERVER/v1/projects/-/serviceAccounts/fed@test-project.iam.gserviceaccount.com:generateAccessToken";
  describe(capture, {kSts, kIam, kResource});
  ASSERT_EQ(count(), 3u);
  expect_same(got(0), capture["auth_requests"][0]);
  EXPECT_EQ(string_member(test::parse_form(got(0).body), "scope"), "https://www.googleapis.com/auth/iam");
  expect_same(got(1), capture["auth_requests"][1]);
  expect_same(got(2), capture["api_requests"][0]);
}

/// gcloud asks for the token once more than it needs to; one exchange and one impersonation are the same as
/// its first.
TEST_F(AuthCapture, Impersonation) {
  const Json capture = read_capture("auth_impersonate");
  file_ = kUser;
  describe(capture, {kOauth, kIam, kResource});
  ASSERT_EQ(count(), 3u);
  expect_same(got(0), capture["auth_requests"][0]);
  expect_same(got(1), capture["auth_requests"][1]);
  expect_same(got(2), capture["api_requests"][0]);
}

/// gcloud makes 21 calls to learn the account's name and then asks for its token; "default" is the same
/// account. The scope is named, which is what Google's library does.
TEST_F(AuthCapture, AGoogleVm) {
  const Json capture = read_capture("auth_gce");
  Json wanted;
  for (const Json& request : capture["auth_requests"]) {
    if (string_member(request, "path").find("/token") != std::string::npos) wanted = request;
  }
  wanted["path"] =
      "/computeMetadata/v1/instance/service-accounts/default/"
      "token?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform";
  server_ = std::make_unique<test::RawHttpServer>(std::vector<RawReply>{kMetadata, kResource});
  set("GCE_METADATA_HOST", server_->url().substr(7));
  http::CurlTransport transport(nullptr, "slipway/test");
  auto source = find(transport);
  Client client(transport, clock_, **source, {.endpoint = server_->url()});
  ASSERT_TRUE(client.get({{"test-project", "us-central2-b"}, "qr-a"}).ok());
  ASSERT_EQ(count(), 2u);
  expect_same(got(0), wanted);
  expect_same(got(1), capture["api_requests"][0]);
}

TEST_F(AuthCapture, Nobody) {
  EXPECT_TRUE(read_capture("auth_none")["api_requests"].empty());
  http::CurlTransport transport(nullptr, "slipway/test");
  EXPECT_EQ(find(transport).error().code(), ErrorCode::kDenied);
}

}  // namespace
}  // namespace slipway::tpu
