// Where a token may be seen: in the header of a request to Google or to loopback, and nowhere else.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "support/raw_http_server.h"
#include "support/tls_server.h"

namespace slipway::test {
namespace {

constexpr const char* kCanary = "ya29.canary-0123456789/+=secret";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Somebody whose token is the canary, and a server that is the API.
class CanaryUser : public SlipwayUser {
 public:
  CanaryUser() {
    const std::string file = home() / "token";
    EXPECT_TRUE(write_file_atomically(file, kCanary, 0600).ok());
    environment["CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"] = file;
    environment["CLOUDSDK_CORE_PROJECT"] = "p";
    environment["CLOUDSDK_COMPUTE_ZONE"] = "us-central2-b";
  }
  /// The words, with everything said that can be said.
  Ended loudly(std::vector<std::string> words) const {
    words.insert(words.end(), {"-vv", "--log-file", home() / "log"});
    return slipway(words);
  }
  std::string log() const { return file_exists(home() / "log") ? read_file(home() / "log").value() : ""; }
};

TEST(TokenHygiene, NoCommandShowsTheTokenInOutputLogOrDryRun) {
  const EmulatorUser user;
  const std::string token(trim(read_file(user.environment.at("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE")).value()));
  const std::string log = user.home() / "log";
  const std::vector<std::vector<std::string>> commands = {
      {"create", "q", "--accelerator-type", "v4-16", "--runtime-version", "tpu-ubuntu2204-base", "--node-id",
       "n", "--dry-run"},
      {"create", "q", "--accelerator-type", "v4-16", "--runtime-version", "tpu-ubuntu2204-base", "--node-id",
       "n", "--dry-run=curl"},
      {"create", "q", "--accelerator-type", "v4-16", "--runtime-version", "tpu-ubuntu2204-base", "--node-id",
       "n", "--wait"},
      {"list", "--format", "json"},
      {"describe", "q"},
      {"workers", "q"},
      {"config", "explain"},
      {"describe", "missing"},
      {"delete", "q", "--force", "--yes"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"-vv", "--log-file", log});
    const Ended ended = user.slipway(words);
    EXPECT_FALSE(contains(ended.out, token)) << words.front();
    EXPECT_FALSE(contains(ended.err, token)) << words.front();
  }
  const std::string logged = read_file(log).value();
  EXPECT_TRUE(contains(logged, "credentials: access token file")) << "-v says whose token it is";
  EXPECT_FALSE(contains(logged, token));
}

TEST(TokenHygiene, AServerThatEchoesTheTokenInItsErrorIsNotRepeated) {
  const std::string form = "ya29.canary-0123456789%2F%2B%3Dsecret";
  RawHttpServer server({reply(
      400,
      std::string(
          R"({"error":{"code":400,"status":"INVALID_ARGUMENT","message":"bad header Authorization: Bearer )") +
          kCanary + " or " + form + "\"}}")});
  const CanaryUser user;
  const Ended ended = user.loudly({"describe", "q", "--endpoint", server.url()});
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_EQ(server.requests().at(0).header("authorization"), std::string("Bearer ") + kCanary);
  EXPECT_TRUE(contains(ended.err, "bad header Authorization: Bearer [redacted] or [redacted]")) << ended.err;
  EXPECT_FALSE(contains(user.log(), "canary"));
}

TEST(TokenHygiene, ARunningCommandHasTheTokenNeitherInItsArgumentsNorInItsEnvironmentAndLeavesNoCore) {
  RawHttpServer server({RawReply{"", RawReply::Then::kHang}});
  const CanaryUser user;
  const std::unique_ptr<Program> program = user.start({"describe", "q", "--endpoint", server.url()});
  server.wait_for_requests(1);
  const std::string proc = "/proc/" + std::to_string(program->pid());
  EXPECT_FALSE(contains(read_file(proc + "/cmdline").value(), "canary"));
  const Result<std::string> environment = read_file(proc + "/environ");  // root may still read it
  EXPECT_TRUE(!environment.ok() || !contains(*environment, "canary"));
  program->send(SIGABRT);
  const Ended ended = program->wait();
  EXPECT_EQ(ended.signal, SIGABRT);
  EXPECT_FALSE(ended.dumped_core);
}

TEST(TokenHygiene, ARedirectAndAStrangersEndpointGetNothing) {
  RawHttpServer target({reply(200, "{}")});
  RawHttpServer server({reply(307, "", "Location: " + target.url("/") + "\r\n")});
  CanaryUser user;
  EXPECT_NE(user.loudly({"describe", "q", "--endpoint", server.url()}).code, 0);
  EXPECT_EQ(target.connections(), 0U);
  user.environment["CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU"] = "https://tpu.googleapis.com.evil.test/";
  const Ended refused = user.loudly({"describe", "q"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "will not send the access token to 'tpu.googleapis.com.evil.test'"))
      << refused.err;
}

TEST(TokenHygiene, TlsIsAlwaysVerifiedAgainstTheCertificatesThatAreNamed) {
  const SelfSigned identity = make_certificate("127.0.0.1");
  TlsServer server(identity);
  CanaryUser user;
  const std::string endpoint = server.url("127.0.0.1");
  const Ended refused = user.loudly({"list", "--endpoint", endpoint});
  EXPECT_EQ(refused.code, 4) << refused.err;
  EXPECT_EQ(server.received(), 0U);

  const std::string ca_file = user.home() / "ca.pem";
  ASSERT_TRUE(write_file_atomically(ca_file, identity.certificate).ok());
  EXPECT_EQ(user.loudly({"list", "--endpoint", endpoint, "--ca-file", ca_file}).code, 0);
  EXPECT_GT(server.received(), 0U);
  user.environment["CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE"] = ca_file;
  EXPECT_EQ(user.loudly({"list", "--endpoint", endpoint}).code, 0);
  user.environment["CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE"] = user.home() / "missing.pem";
  EXPECT_EQ(user.loudly({"list", "--endpoint", endpoint}).code, 2);
}

TEST(TokenHygiene, CredentialsOfGcloudsKindNeedNoSetUp) {
  RawHttpServer server({reply(200, R"({"access_token":"ya29.exchanged","expires_in":3599})"),
                        reply(200, R"({"name":"projects/p/locations/us-central2-b/queuedResources/q"})")});
  CanaryUser user;
  user.environment.erase("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE");
  const std::string folder = user.home() / ".config/gcloud";
  ASSERT_TRUE(make_directories(folder).ok());
  ASSERT_TRUE(
      write_file_atomically(
          folder + "/application_default_credentials.json",
          R"({"type":"authorized_user","client_id":"c","client_secret":"csec-canary","refresh_token":"1//canary"})")
          .ok());
  user.environment["CLOUDSDK_AUTH_TOKEN_HOST"] = server.url("/token");
  user.environment["CLOUDSDK_CORE_REQUEST_REASON"] = "ticket 7";
  const Ended ended =
      user.loudly({"describe", "q", "--endpoint", server.url(), "--billing-project", "billed"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const RawRequest call = server.requests().at(1);
  EXPECT_EQ(call.header("authorization"), "Bearer ya29.exchanged");
  EXPECT_EQ(call.header("x-goog-user-project"), "billed");
  EXPECT_EQ(call.header("x-goog-request-reason"), "ticket 7");
  EXPECT_FALSE(contains(user.log(), "canary"));
  EXPECT_FALSE(contains(user.log(), "ya29.exchanged"));
}

TEST(TokenHygiene, NobodySignedInIsExitFourWithWhatToType) {
  CanaryUser user;
  user.environment.erase("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE");
  user.environment["NO_GCE_CHECK"] = "true";
  const Ended ended = user.slipway({"list"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_TRUE(contains(ended.err, "next: gcloud auth login")) << ended.err;
}

}  // namespace
}  // namespace slipway::test
