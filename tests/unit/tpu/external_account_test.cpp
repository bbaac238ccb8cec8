#include "tpu/external_account.h"

#include <sys/stat.h>

#include "signed_in.h"
#include "slipway/core/format.h"
#include "slipway/http/curl_transport.h"
#include "support/raw_http_server.h"

namespace slipway::tpu {
namespace {

using test::answer;
using test::FakeTransport;
using test::RawHttpServer;
using test::reply;

const http::Answer kToken = answer(200, R"({"access_token":"ya29.federated","expires_in":"3600"})");
constexpr const char* kWorkforce = "//iam.googleapis.com/locations/global/workforcePools/p/providers/q";

class ExternalAccount : public SignedIn {
 protected:
  Json file(const Json& source) const {
    return {
        {"type", "external_account"},
        {"audience", "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q"},
        {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
        {"token_url", "https://sts.googleapis.com/v1/token"},
        {"credential_source", source}};
  }
  static Json form_of(const http::Request& request) { return test::parse_form(request.body); }
  std::string script(const std::string& body) {
    const std::string path = write("helper.sh", "#!/bin/sh\n" + body + "\n");
    EXPECT_EQ(::chmod(path.c_str(), 0755), 0);
    return path;
  }
  void allow() { set("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1"); }
};

TEST_F(ExternalAccount, TheProofMayBeAMemberOfJson) {
  use(file({{"file", write("t", R"({"access_token":"proof-1","other":1})")},
            {"format", {{"type", "json"}, {"subject_token_field_name", "access_token"}}}}));
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.federated");
  EXPECT_EQ(form_of(transport.requests.at(0))["subject_token"], "proof-1");
}

TEST_F(ExternalAccount, TheProofIsReadAnewForEachExchange) {
  use(file({{"file", write("t", "proof-1\n")}}));
  FakeTransport transport({kToken});
  auto source = find(transport);
  ASSERT_TRUE((*source)->token().ok());
  write("t", "proof-2\n");
  EXPECT_TRUE((*source)->refresh());
  ASSERT_TRUE((*source)->token().ok());
  EXPECT_EQ(form_of(transport.requests.at(1))["subject_token"], "proof-2");
}

TEST_F(ExternalAccount, TheProofMayComeFromAUrlWithItsHeaders) {
  RawHttpServer server(
      {reply(200, R"({"value":"proof-3"})"), reply(200, R"({"access_token":"ya29.f","expires_in":60})")});
  Json document = file({{"url", server.url("/oidc?audience=x")},
                        {"headers", {{"Metadata", "True"}}},
                        {"format", {{"type", "json"}, {"subject_token_field_name", "value"}}}});
  document["token_url"] = server.url("/sts");
  use(document);
  http::CurlTransport transport(nullptr, "slipway/test");
  EXPECT_EQ(token(transport), "ya29.f");
  EXPECT_EQ(server.requests()[0].line(), "GET /oidc?audience=x HTTP/1.1");
  EXPECT_EQ(server.requests()[0].header("metadata"), "True");
  EXPECT_EQ(server.requests()[0].header("authorization"), "");
  EXPECT_EQ(test::parse_form(server.requests()[1].body)["subject_token"], "proof-3");
}

TEST_F(ExternalAccount, AProofThatIsNotThereIsAnErrorBeforeGoogleIsAsked) {
  const Json json = {{"type", "json"}, {"subject_token_field_name", "token"}};
  const Json sources[] = {{{"file", folder_ / "missing"}},
                          {{"file", write("empty", "\n")}},
                          {{"file", write("j", R"({"other":"x"})")}, {"format", json}},
                          {{"file", write("k", "not json")}, {"format", json}}};
  for (const Json& source : sources) {
    use(file(source));
    FakeTransport transport({kToken});
    const Result<Secret> found = find(transport).value()->token();
    ASSERT_FALSE(found.ok()) << source;
    EXPECT_EQ(found.error().code(), ErrorCode::kDenied);
    EXPECT_EQ(found.error().next(), "slipway help auth");
    EXPECT_TRUE(transport.requests.empty());
  }
}

TEST_F(ExternalAccount, AWorkforcePoolsProjectGoesAlongUnlessAClientSaysWhoItIs) {
  Json document = file({{"file", write("t", "proof")}});
  document["audience"] = kWorkforce;
  document["workforce_pool_user_project"] = "billed";
  use(document);
  FakeTransport transport({kToken});
  ASSERT_EQ(token(transport), "ya29.federated");
  EXPECT_EQ(form_of(transport.requests.at(0))["options"], "%7B%22userProject%22%3A%22billed%22%7D");
  document["client_id"] = "cid";
  document["client_secret"] = "client-secret";
  use(document);
  ASSERT_EQ(token(transport), "ya29.federated");
  EXPECT_FALSE(form_of(transport.requests.at(1)).contains("options"));
  const std::pair<std::string, std::string> basic{"Authorization",
                                                  "Basic " + base64_encode("cid:client-secret")};
  EXPECT_EQ(transport.requests.at(1).headers.back(), basic);
}

TEST_F(ExternalAccount, WhatIsNotSupportedSaysWhatToDoInstead) {
  FakeTransport transport({kToken});
  use(file({{"environment_id", "aws1"}, {"region_url", "http://169.254.169.254/x"}}));
  EXPECT_EQ(find(transport).error().code(), ErrorCode::kDenied);
  EXPECT_NE(find(transport).error().message().find("AWS"), std::string::npos);
  EXPECT_NE(find(transport).error().why().find("--access-token-file"), std::string::npos);
  use(file({{"certificate", Json::object()}}));
  EXPECT_NE(find(transport).error().message().find("certificate"), std::string::npos);
  use(file(Json::object()));
  EXPECT_FALSE(find(transport).ok());
  use({{"type", "gdch_service_account"}});
  EXPECT_NE(find(transport).error().why().find("gdch_service_account"), std::string::npos);
}

TEST_F(ExternalAccount, AStrangersEndpointGetsNothingUnlessTheUserNamesIt) {
  FakeTransport transport({kToken});
  Json document = file({{"file", write("t", "proof")}});
  for (const char* url :
       {"https://evil.test/v1/token", "https://sts.googleapis.com.evil.test/t",
        "https://evilgoogleapis.com/t", "http://sts.googleapis.com/t", "https://x@evil.test/"}) {
    document["token_url"] = url;
    use(document);
    const Result<Secret> found = find(transport).value()->token();
    ASSERT_FALSE(found.ok()) << url;
    EXPECT_EQ(found.error().code(), ErrorCode::kUsage) << url;
  }
  EXPECT_TRUE(transport.requests.empty());
  document["token_url"] = "https://sts.example.com/v1/token";
  use(document);
  EXPECT_EQ(find(transport).value()->token().error().next(), "add --allow-host sts.example.com");
  EXPECT_EQ(token(transport, {.allowed_hosts = {"STS.example.com"}}), "ya29.federated");
}

TEST_F(ExternalAccount, AProgramIsStartedOnlyWhenTheUserAllowsPrograms) {
  use(file({{"executable", {{"command", script("touch " + (folder_ / "ran"))}}}}));
  FakeTransport transport({kToken});
  const auto source = find(transport);
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().next(), "export GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1");
  EXPECT_FALSE(file_exists(folder_ / "ran"));
}

TEST_F(ExternalAccount, AProgramIsToldWhatTheDocumentsPromiseAndNoTokenOfOurs) {
  allow();
  set("CLOUDSDK_AUTH_ACCESS_TOKEN", "");
  set("INHERITED", "yes");
  const Secret held("ya29.held-by-us");
  set("SOME_TOKEN", "Bearer ya29.held-by-us");
  Json document = file(
      {{"executable",
        {{"command", script("env > " + (folder_ / "env") + "; echo \"args: $*\" >> " + (folder_ / "env") +
                            "\necho '{\"version\":1,\"success\":true,\"token_type\":"
                            "\"urn:ietf:params:oauth:token-type:jwt\",\"id_token\":\"proof-4\"}'") +
                         "  --a='b c'"},
         {"timeout_millis", 5000}}}});
  document["service_account_impersonation_url"] =
      "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/"
      "sa@p.iam.gserviceaccount.com:generateAccessToken";
  use(document);
  FakeTransport transport(
      {kToken, answer(200, R"({"accessToken":"ya29.sa","expireTime":"2026-11-20T09:00:00Z"})")});
  EXPECT_EQ(token(transport), "ya29.sa");
  EXPECT_EQ(form_of(transport.requests.at(0))["subject_token"], "proof-4");
  const std::string environment = read_file(folder_ / "env").value();
  for (const std::string line :
       {"GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE=//iam", "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE=urn:",
        "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE=0", "GOOGLE_EXTERNAL_ACCOUNT_REVOKE=0",
        "GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL=sa@p.iam.gserviceaccount.com", "INHERITED=yes",
        "args: --a='b c'"}) {
    EXPECT_NE(environment.find(line), std::string::npos) << line;
  }
  EXPECT_EQ(environment.find("ya29.held-by-us"), std::string::npos);
}

TEST_F(ExternalAccount, AProgramsAnswerIsCheckedBeforeItIsBelieved) {
  allow();
  const std::string type = R"("token_type":"urn:ietf:params:oauth:token-type:id_token")";
  const std::pair<std::string, std::string> answers[] = {
      {"no json", "not a JSON object"},
      {R"({"success":true})", "no version"},
      {R"({"version":2,"success":true})", "version 2"},
      {R"({"version":1})", "'success'"},
      {R"({"version":1,"success":false,"code":"401","message":"who are you"})", "401: who are you"},
      {R"({"version":1,"success":true,"token_type":"x"})", "type 'x'"},
      {R"({"version":1,"success":true,"expiration_time":1,)" + type + R"(,"id_token":"t"})", "expired"},
      {R"({"version":1,"success":true,)" + type + "}", "no token"}};
  for (const auto& [text, why] : answers) {
    use(file({{"executable", {{"command", "cat " + write("answer", text)}}}}));
    FakeTransport transport({kToken});
    EXPECT_NE(token(transport).find(why), std::string::npos) << text << " gives " << token(transport);
    EXPECT_TRUE(transport.requests.empty());
  }
}

TEST_F(ExternalAccount, AProgramThatFailsSaysItsLastWord) {
  allow();
  use(file({{"executable", {{"command", script("echo first >&2; echo second >&2; exit 3")}}}}));
  FakeTransport transport({kToken});
  EXPECT_NE(token(transport).find("it ended with 3: second"), std::string::npos) << token(transport);
  use(file({{"executable", {{"command", folder_ / "missing"}}}}));
  EXPECT_NE(token(transport).find("cannot start"), std::string::npos) << token(transport);
}

TEST_F(ExternalAccount, AnOutputFileThatIsStillValidSparesTheProgram) {
  allow();
  const std::string output = write(
      "out",
      R"({"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:saml2","saml_response":"proof-5","expiration_time":1795165200})");
  use(file({{"executable",
             {{"command", script("touch " + (folder_ / "ran") + "; exit 1")}, {"output_file", output}}}}));
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.federated");
  EXPECT_EQ(form_of(transport.requests.at(0))["subject_token"], "proof-5");
  EXPECT_FALSE(file_exists(folder_ / "ran"));
  clock_.advance(std::chrono::hours(2));
  token(transport);
  EXPECT_TRUE(file_exists(folder_ / "ran")) << "it has expired";
}

}  // namespace
}  // namespace slipway::tpu
