#include "slipway/tpu/credentials.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>

#include "slipway/core/file.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/http/curl_transport.h"
#include "support/fake_transport.h"
#include "support/raw_http_server.h"
#include "support/scoped_env.h"
#include "support/temp_folder.h"
#include "tpu/token_exchange.h"

namespace slipway::tpu {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using test::answer;
using test::FakeTransport;
using test::ScopedEnv;

constexpr const char* kUser =
    R"({"type":"authorized_user","client_id":"cid.apps.googleusercontent.com","client_secret":"csec-canary","refresh_token":"1//rt-canary","token_uri":"https://ignored.test","quota_project_id":"qp"})";
const http::Answer kToken =
    answer(200, R"({"access_token":"ya29.exchanged","expires_in":3600,"token_type":"Bearer"})");

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
Key make_rsa_key() { return {EVP_RSA_gen(2048), &EVP_PKEY_free}; }

std::string to_pem(EVP_PKEY* key) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> out(BIO_new(BIO_s_mem()), &BIO_free_all);
  PEM_write_bio_PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  char* data = nullptr;
  const long size = BIO_get_mem_data(out.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

std::string from_base64url(std::string text) {
  for (char& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  return base64_decode(text).value_or("(not base64)");
}

bool verifies(EVP_PKEY* key, const std::string& text, const std::string& signature) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key);
  return EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                          signature.size(), reinterpret_cast<const unsigned char*>(text.data()),
                          text.size()) == 1;
}

std::string service_account(const std::string& pem, const std::string& more = "") {
  Json file = {{"type", "service_account"},
               {"client_email", "sa@p.iam.gserviceaccount.com"},
               {"private_key_id", "kid123"},
               {"private_key", pem}};
  std::string text = dump_json(file);
  text.insert(text.size() - 1, more);
  return text;
}

class CredentialsTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    EXPECT_TRUE(write_file_atomically(folder_ / name, content).ok());
    return folder_ / name;
  }
  Result<std::unique_ptr<TokenSource>> find(http::Transport& transport,
                                            const CredentialOptions& options = {}) {
    return find_credentials(options, GcloudConfig::load(), transport, clock_, [] { return 0.5; });
  }
  std::string token(http::Transport& transport, const CredentialOptions& options = {}) {
    auto source = find(transport, options);
    if (!source.ok()) return "error: " + source.error().message();
    const Result<Secret> found = source.value()->token();
    return found.ok() ? found->reveal() : "error: " + found.error().message() + ": " + found.error().why();
  }

  test::TempFolder folder_;
  test::FakeClock clock_;
  ScopedEnv config_{"CLOUDSDK_CONFIG", folder_.path()};
  ScopedEnv name_{"CLOUDSDK_ACTIVE_CONFIG_NAME", "NONE"};
  ScopedEnv token_{"CLOUDSDK_AUTH_ACCESS_TOKEN", std::nullopt};
  ScopedEnv token_file_{"CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", std::nullopt};
  ScopedEnv token_host_{"CLOUDSDK_AUTH_TOKEN_HOST", std::nullopt};
  ScopedEnv override_{"CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE", std::nullopt};
  ScopedEnv default_{"GOOGLE_APPLICATION_CREDENTIALS", std::nullopt};
  ScopedEnv quota_{"GOOGLE_CLOUD_QUOTA_PROJECT", std::nullopt};
  ScopedEnv billing_{"CLOUDSDK_BILLING_QUOTA_PROJECT", std::nullopt};
  ScopedEnv metadata_{"GCE_METADATA_HOST", std::nullopt};
  ScopedEnv root_{"GCE_METADATA_ROOT", std::nullopt};
  ScopedEnv account_{"CLOUDSDK_CORE_ACCOUNT", std::nullopt};
  ScopedEnv project_{"CLOUDSDK_CORE_PROJECT", std::nullopt};
};

TEST_F(CredentialsTest, EachSourceWinsOverThoseBehindIt) {
  FakeTransport transport({kToken});
  const ScopedEnv host("GCE_METADATA_HOST", "127.0.0.1:1");
  EXPECT_NE(find(transport).value()->description().find("metadata"), std::string::npos);
  write("application_default_credentials.json", kUser);
  EXPECT_EQ(find(transport).value()->description(),
            "the user of " + (folder_ / "application_default_credentials.json"));
  const ScopedEnv adc("GOOGLE_APPLICATION_CREDENTIALS", write("adc.json", kUser));
  EXPECT_EQ(find(transport).value()->description(), "the user of " + (folder_ / "adc.json"));
  const ScopedEnv credentials("CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE", write("override.json", kUser));
  EXPECT_EQ(find(transport).value()->description(), "the user of " + (folder_ / "override.json"));
  const ScopedEnv file("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", write("tok", " ya29.file\n"));
  EXPECT_EQ(token(transport), "ya29.file");
  const ScopedEnv fixed("CLOUDSDK_AUTH_ACCESS_TOKEN", "ya29.env");
  EXPECT_EQ(token(transport), "ya29.env");
  EXPECT_EQ(token(transport, {.access_token_file = write("flag", "ya29.flag")}), "ya29.flag");
  EXPECT_TRUE(transport.requests.empty());
}

TEST_F(CredentialsTest, WithNoneItSaysTheTwoShortestWays) {
  const Result<std::string> product = read_file("/sys/class/dmi/id/product_name", 4096);
  if (product.ok() && product.value().rfind("Google", 0) == 0) GTEST_SKIP() << "this is a Google VM";
  FakeTransport transport;
  const auto source = find(transport);
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().code(), ErrorCode::kDenied);
  EXPECT_EQ(source.error().next(), "gcloud auth login");
  EXPECT_NE(source.error().why().find("slipway help auth"), std::string::npos);
}

TEST_F(CredentialsTest, AUsersRefreshTokenIsExchangedAsGcloudDoesIt) {
  test::RawHttpServer server({test::reply(200, R"({"access_token":"ya29.exchanged","expires_in":3599})")});
  write("application_default_credentials.json", kUser);
  const ScopedEnv host("CLOUDSDK_AUTH_TOKEN_HOST", server.url("/token"));
  http::CurlTransport transport(nullptr, "slipway/test");
  EXPECT_EQ(token(transport), "ya29.exchanged");
  const auto request = server.requests().at(0);
  EXPECT_EQ(request.line(), "POST /token HTTP/1.1");
  EXPECT_EQ(request.header("content-type"), "application/x-www-form-urlencoded");
  // As captured from gcloud 528 for the same file.
  EXPECT_EQ(request.body,
            "grant_type=refresh_token&client_id=cid.apps.googleusercontent.com&client_secret=csec-canary&"
            "refresh_token=1%2F%2Frt-canary");
}

TEST_F(CredentialsTest, AUsersFileDoesNotChooseWhereItsRefreshTokenGoes) {
  write("application_default_credentials.json", kUser);
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.exchanged");
  EXPECT_EQ(transport.requests[0].url, "https://oauth2.googleapis.com/token");
}

TEST_F(CredentialsTest, AServiceAccountSendsAnAssertionThatItsKeySigned) {
  const Key key = make_rsa_key();
  const ScopedEnv adc(
      "GOOGLE_APPLICATION_CREDENTIALS",
      write("sa.json",
            service_account(to_pem(key.get()), R"(,"token_uri":"https://oauth2.googleapis.com/token")")));
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.exchanged");
  const http::Request& request = transport.requests.at(0);
  EXPECT_EQ(request.url, "https://oauth2.googleapis.com/token");
  const std::string prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=";
  ASSERT_EQ(request.body.substr(0, prefix.size()), prefix);
  const std::vector<std::string> parts = split(request.body.substr(prefix.size()), '.');
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(from_base64url(parts[0]), R"({"alg":"RS256","typ":"JWT","kid":"kid123"})");
  EXPECT_EQ(
      from_base64url(parts[1]),
      R"({"iss":"sa@p.iam.gserviceaccount.com","aud":"https://oauth2.googleapis.com/token","iat":1795161600,"exp":1795165200,"scope":"https://www.googleapis.com/auth/cloud-platform"})");
  EXPECT_TRUE(verifies(key.get(), parts[0] + "." + parts[1], from_base64url(parts[2])));
}

TEST_F(CredentialsTest, AKeyThatIsNoneIsAnErrorBeforeAnythingIsSent) {
  FakeTransport transport({kToken});
  const ScopedEnv adc(
      "GOOGLE_APPLICATION_CREDENTIALS",
      write("sa.json", service_account("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")));
  EXPECT_NE(token(transport).find("private key cannot be used"), std::string::npos);
  EXPECT_TRUE(transport.requests.empty());
}

TEST_F(CredentialsTest, TheMetadataServerIsAskedInItsOwnWay) {
  test::RawHttpServer server(
      {test::reply(200, R"({"access_token":"ya29.gce","expires_in":1800,"token_type":"Bearer"})",
                   "Metadata-Flavor: Google\r\n")});
  const ScopedEnv host("GCE_METADATA_HOST", "127.0.0.1:" + std::to_string(server.port()));
  http::CurlTransport transport(nullptr, "slipway/test");
  EXPECT_EQ(token(transport), "ya29.gce");
  EXPECT_EQ(server.requests()[0].line(),
            "GET "
            "/computeMetadata/v1/instance/service-accounts/default/"
            "token?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform HTTP/1.1");
  EXPECT_EQ(server.requests()[0].header("metadata-flavor"), "Google");
}

TEST_F(CredentialsTest, AServerThatDoesNotSayItIsTheMetadataServerIsNotBelieved) {
  FakeTransport transport({kToken});
  const ScopedEnv host("GCE_METADATA_HOST", "127.0.0.1:1");
  EXPECT_NE(token(transport).find("is no metadata server"), std::string::npos);
  EXPECT_EQ(transport.requests[0].timeout, seconds(3));
  EXPECT_TRUE(transport.requests[0].bypass_proxy);
}

TEST_F(CredentialsTest, ATokenIsFetchedAgainShortlyBeforeItsEnd) {
  write("application_default_credentials.json", kUser);
  FakeTransport transport({kToken});
  auto source = find(transport);
  ASSERT_TRUE(source.value()->token().ok());
  clock_.advance(minutes(55) - seconds(1));
  ASSERT_TRUE(source.value()->token().ok());
  EXPECT_EQ(transport.requests.size(), 1u);
  clock_.advance(seconds(1));
  ASSERT_TRUE(source.value()->token().ok());
  EXPECT_EQ(transport.requests.size(), 2u);
}

TEST_F(CredentialsTest, ARefusedTokenIsFetchedAgain) {
  write("application_default_credentials.json", kUser);
  FakeTransport transport({kToken, answer(200, R"({"access_token":"ya29.second","expires_in":3600})")});
  auto source = find(transport);
  ASSERT_TRUE(source.value()->token().ok());
  EXPECT_TRUE(source.value()->refresh());
  EXPECT_EQ(source.value()->token()->reveal(), "ya29.second");
}

TEST_F(CredentialsTest, WhenTheTokenServerIsDownTheOldTokenServesUntilTheApiRefusesIt) {
  write("application_default_credentials.json", kUser);
  FakeTransport transport({kToken, answer(503, "")});
  auto source = find(transport);
  ASSERT_TRUE(source.value()->token().ok());
  clock_.advance(minutes(58));
  EXPECT_EQ(source.value()->token()->reveal(), "ya29.exchanged");
  EXPECT_EQ(transport.requests.size(), 4u) << "three tries";
  EXPECT_EQ(source.value()->token()->reveal(), "ya29.exchanged");
  EXPECT_EQ(transport.requests.size(), 4u) << "not again within half a minute";
  clock_.advance(minutes(30));
  EXPECT_EQ(source.value()->token()->reveal(), "ya29.exchanged") << "our clock may be the one that is wrong";
  EXPECT_TRUE(source.value()->refresh());
  const Result<Secret> refused = source.value()->token();
  EXPECT_EQ(refused.error().code(), ErrorCode::kDenied);
  EXPECT_NE(refused.error().why().find("503"), std::string::npos) << refused.error().why();
}

TEST_F(CredentialsTest, WithoutAnyTokenADeadTokenServerIsUnavailable) {
  write("application_default_credentials.json", kUser);
  FakeTransport transport({answer(503, "")});
  EXPECT_EQ(find(transport).value()->token().error().code(), ErrorCode::kUnavailable);
}

TEST_F(CredentialsTest, ARevokedSignInIsDeniedWithTheServersReasonAndWithoutRetry) {
  write("application_default_credentials.json", kUser);
  FakeTransport transport(
      {answer(400, R"({"error":"invalid_grant","error_description":"Token has been expired or revoked."})")});
  const auto found = find(transport).value()->token();
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::kDenied);
  EXPECT_NE(found.error().why().find("invalid_grant: Token has been expired or revoked."), std::string::npos);
  EXPECT_EQ(found.error().next(), "gcloud auth application-default login");
  EXPECT_EQ(transport.requests.size(), 1u);
}

TEST_F(CredentialsTest, AnAnswerWithoutATokenIsAnError) {
  write("application_default_credentials.json", kUser);
  for (const char* body : {"{}", "<html>Sign in to the Wifi</html>", "{\"access_token\":\"\"}"}) {
    FakeTransport transport({answer(200, body)});
    EXPECT_EQ(token(transport).substr(0, 6), "error:") << body;
  }
}

TEST_F(CredentialsTest, AFileThatCannotBeUsedIsDeniedByName) {
  FakeTransport transport({kToken});
  const std::string files[] = {folder_ / "missing.json",
                               write("1", "not json"),
                               write("2", "{}"),
                               write("3", R"({"type":"external_account"})"),
                               write("4", R"({"type":"authorized_user","client_id":"c"})"),
                               folder_.path()};
  for (const std::string& file : files) {
    const ScopedEnv adc("GOOGLE_APPLICATION_CREDENTIALS", file);
    const auto source = find(transport);
    ASSERT_FALSE(source.ok()) << file;
    EXPECT_EQ(source.error().code(), ErrorCode::kDenied);
    EXPECT_NE(source.error().message().find(file), std::string::npos);
    EXPECT_FALSE(source.error().why().empty());
  }
}

TEST_F(CredentialsTest, AnAccessTokenFileIsReadAgainAfterARefusalIfItChanged) {
  FakeTransport transport;
  const std::string path = write("tok", "ya29.one\n");
  auto source = find(transport, {.access_token_file = path});
  EXPECT_EQ(source.value()->token()->reveal(), "ya29.one");
  EXPECT_FALSE(source.value()->refresh());
  write("tok", "ya29.two\n");
  EXPECT_TRUE(source.value()->refresh());
  EXPECT_EQ(source.value()->token()->reveal(), "ya29.two");
}

TEST_F(CredentialsTest, AMissingTokenFileIsAUsageErrorAndAnEmptyOneIsDenied) {
  FakeTransport transport;
  EXPECT_EQ(find(transport, {.access_token_file = folder_ / "none"}).value()->token().error().code(),
            ErrorCode::kUsage);
  EXPECT_EQ(find(transport, {.access_token_file = write("empty", "\n")}).value()->token().error().code(),
            ErrorCode::kDenied);
}

TEST_F(CredentialsTest, TheQuotaProjectComesFromTheVariableTheFileOrGcloud) {
  FakeTransport transport({kToken});
  write("application_default_credentials.json", kUser);
  const ScopedEnv billing("CLOUDSDK_BILLING_QUOTA_PROJECT", "billing");
  EXPECT_EQ(find(transport).value()->quota_project(), "qp");
  EXPECT_EQ(find(transport, {.access_token_file = "f"}).value()->quota_project(), "billing");
  const ScopedEnv variable("GOOGLE_CLOUD_QUOTA_PROJECT", "variable");
  EXPECT_EQ(find(transport).value()->quota_project(), "variable");
}

TEST_F(CredentialsTest, NoSecretOfAFileReachesALogOrAnError) {
  write("application_default_credentials.json", kUser);
  FakeTransport transport({answer(400, R"({"error":"bad","error_description":"csec-canary 1//rt-canary"})")});
  auto source = find(transport);
  const auto found = source.value()->token();
  ASSERT_FALSE(found.ok());
  const std::string shown = redact(found.error().why());
  EXPECT_EQ(shown.find("canary"), std::string::npos) << shown;
}

}  // namespace
}  // namespace slipway::tpu
