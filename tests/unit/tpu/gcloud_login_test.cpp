// gcloud's own databases, written as gcloud writes them.
#include "tpu/gcloud_login.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signed_in.h"
#include "slipway/core/format.h"

namespace slipway::tpu {
namespace {

using test::answer;
using test::FakeTransport;

const http::Answer kToken = answer(200, R"({"access_token":"ya29.exchanged","expires_in":3600})");
const Json kRow = {{"type", "authorized_user"},
                   {"client_id", "32555940559.apps.googleusercontent.com"},
                   {"client_secret", "notsosecret"},
                   {"refresh_token", "1//login"},
                   {"universe_domain", "googleapis.com"}};

/// A writer as gcloud is one, on a connection of its own.
class Writer {
 public:
  explicit Writer(const std::string& path) { EXPECT_EQ(sqlite3_open(path.c_str(), &database_), SQLITE_OK); }
  ~Writer() { sqlite3_close(database_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database_);
  }

 private:
  sqlite3* database_ = nullptr;
};

class GcloudLoginTest : public SignedIn {
 protected:
  void log_in(const std::string& account, const Json& row) {
    Writer writer(folder_ / "credentials.db");
    writer.run("CREATE TABLE IF NOT EXISTS \"credentials\" (account_id TEXT PRIMARY KEY, value BLOB)");
    writer.run(fmt::format("REPLACE INTO \"credentials\" VALUES ('{}', '{}')", account, dump_json(row, 2)));
  }
  void cache(const std::string& account, const std::string& token, const std::string& expiry,
             const std::string& rapt = "NULL") {
    Writer writer(folder_ / "access_tokens.db");
    writer.run(
        "CREATE TABLE IF NOT EXISTS \"access_tokens\" (account_id TEXT PRIMARY KEY, access_token TEXT, "
        "token_expiry TIMESTAMP, rapt_token TEXT, id_token TEXT)");
    writer.run(fmt::format("REPLACE INTO \"access_tokens\" VALUES ('{}', '{}', '{}', {}, NULL)", account,
                           token, expiry, rapt));
  }
};

TEST_F(GcloudLoginTest, TheActiveAccountsLoginIsExchanged) {
  log_in("a@example.com", kRow);
  log_in("b@example.com", {{"type", "authorized_user"}});
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.exchanged");
  EXPECT_EQ(string_member(test::parse_form(transport.requests.at(0).body), "refresh_token"), "1//login");
  const auto source = find(transport);
  EXPECT_EQ((*source)->description(), "gcloud's login a@example.com");
  EXPECT_EQ((*source)->shell_command(), "gcloud auth print-access-token a@example.com");
}

TEST_F(GcloudLoginTest, ALoginWinsOverTheKnownDefaultFileButNotOverOneThatAVariableNames) {
  log_in("a@example.com", kRow);
  write("application_default_credentials.json", R"({"type":"nonsense"})");
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.exchanged");
  use({{"type", "authorized_user"},
       {"client_id", "c"},
       {"client_secret", "csec-2"},
       {"refresh_token", "1//named"}});
  EXPECT_EQ(find(transport).value()->description(), "the user of " + (folder_ / "credentials.json"));
}

TEST_F(GcloudLoginTest, TheFlagChoosesAnAccountAndAnEmptyOneChoosesNone) {
  log_in("a@example.com", kRow);
  set("CLOUDSDK_CORE_ACCOUNT", "somebody@else");
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport, {.account = "a@example.com"}), "ya29.exchanged");
  set("CLOUDSDK_CORE_ACCOUNT", "");
  EXPECT_EQ(find(transport).error().code(), ErrorCode::kDenied);
}

TEST_F(GcloudLoginTest, AnAccountThatWasNamedAndHasNoLoginIsAnError) {
  log_in("a@example.com", kRow);
  FakeTransport transport({kToken});
  const auto source = find(transport, {.account = "b@example.com"});
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().code(), ErrorCode::kDenied);
  EXPECT_EQ(source.error().next(), "gcloud auth login b@example.com");
}

TEST_F(GcloudLoginTest, AnAccountOfTheConfigurationWithoutALoginLetsTheDefaultFileSpeak) {
  set("CLOUDSDK_ACTIVE_CONFIG_NAME", "default");
  ASSERT_TRUE(make_directories(folder_ / "configurations").ok());
  write("configurations/config_default", "[core]\naccount = gone@example.com\n");
  write("application_default_credentials.json", dump_json(kRow));
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.exchanged");
}

TEST_F(GcloudLoginTest, GcloudsLastTokenServesWhileItHasMoreThanFiveMinutes) {
  log_in("a@example.com", kRow);
  cache("a@example.com", "ya29.cached", "2026-11-20 08:20:00.123456");  // the clock says 08:00
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  FakeTransport transport({kToken});
  auto source = find(transport);
  EXPECT_EQ((*source)->token()->reveal(), "ya29.cached");
  EXPECT_TRUE(transport.requests.empty());
  clock_.advance(std::chrono::minutes(16));
  EXPECT_EQ((*source)->token()->reveal(), "ya29.exchanged");
}

TEST_F(GcloudLoginTest, ACachedTokenThatIsRefusedIsNotServedAgain) {
  log_in("a@example.com", kRow);
  cache("a@example.com", "ya29.cached", "2026-11-20 09:00:00");
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  FakeTransport transport({kToken});
  auto source = find(transport);
  EXPECT_EQ((*source)->token()->reveal(), "ya29.cached");
  EXPECT_TRUE((*source)->refresh());
  EXPECT_EQ((*source)->token()->reveal(), "ya29.exchanged");
}

TEST_F(GcloudLoginTest, AnOldTokenOrOneOfAnotherAccountIsNotServed) {
  log_in("a@example.com", kRow);
  cache("a@example.com", "ya29.old", "2026-11-20 08:05:00");
  cache("b@example.com", "ya29.other", "2026-11-20 09:00:00");
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.exchanged");
}

TEST_F(GcloudLoginTest, AProofOfReauthenticationGoesAlong) {
  log_in("a@example.com", kRow);
  cache("a@example.com", "ya29.old", "2026-11-20 07:00:00", "'rapt-proof'");
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.exchanged");
  EXPECT_EQ(string_member(test::parse_form(transport.requests.at(0).body), "rapt"), "rapt-proof");
}

TEST_F(GcloudLoginTest, ARevokedLoginSaysToLogInAgain) {
  log_in("a@example.com", kRow);
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  FakeTransport transport({answer(400, R"({"error":"invalid_grant","error_description":"Bad Request"})")});
  const Result<Secret> found = find(transport).value()->token();
  EXPECT_EQ(found.error().code(), ErrorCode::kDenied);
  EXPECT_EQ(found.error().next(), "gcloud auth login a@example.com");
}

TEST_F(GcloudLoginTest, AUsersCallsCountAgainstTheCurrentProjectAsGcloudDoesIt) {
  log_in("a@example.com", kRow);
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  set("CLOUDSDK_CORE_PROJECT", "configured");
  FakeTransport transport({kToken});
  EXPECT_EQ(find(transport).value()->quota_project(), "configured");
  EXPECT_EQ(find(transport, {.project = "typed"}).value()->quota_project(), "typed");
  EXPECT_EQ(find(transport, {.billing_project = "billed"}).value()->quota_project(), "billed");
  set("CLOUDSDK_BILLING_QUOTA_PROJECT", "LEGACY");
  EXPECT_EQ(find(transport, {.project = "typed"}).value()->quota_project(), "");
}

TEST_F(GcloudLoginTest, AWriterInTheMiddleOfItsWorkIsNoHindrance) {
  log_in("a@example.com", kRow);
  Writer writer(folder_ / "credentials.db");
  writer.run("PRAGMA journal_mode=WAL");
  writer.run("BEGIN IMMEDIATE");
  writer.run("DELETE FROM credentials");
  set("CLOUDSDK_CORE_ACCOUNT", "a@example.com");
  FakeTransport transport({kToken});
  EXPECT_EQ(token(transport), "ya29.exchanged") << "what is not committed has not happened";
  writer.run("ROLLBACK");
}

TEST_F(GcloudLoginTest, NothingIsWrittenEvenInAFolderThatIsReadOnly) {
  log_in("a@example.com", kRow);
  const std::string path = folder_ / "credentials.db";
  const auto before = read_file(path).value();
  ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0500), 0);
  EXPECT_TRUE(read_gcloud_login(folder_.path(), "a@example.com")->has_value());
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0700), 0);
  EXPECT_EQ(read_file(path).value(), before);
  EXPECT_FALSE(file_exists(path + "-journal"));
}

TEST_F(GcloudLoginTest, ADatabaseThatIsNoneIsAnErrorThatNamesIt) {
  write("credentials.db", std::string(5000, 'x'));
  const auto login = read_gcloud_login(folder_.path(), "a@example.com");
  ASSERT_FALSE(login.ok());
  EXPECT_NE(login.error().message().find("credentials.db"), std::string::npos);
  EXPECT_EQ(login.error().code(), ErrorCode::kDenied);
}

TEST_F(GcloudLoginTest, AVmsOwnAccountAsksTheMetadataServerForThatAccount) {
  log_in("vm@p.iam.gserviceaccount.com",
         {{"type", "gce"}, {"service_account_email", "vm@p.iam.gserviceaccount.com"}});
  set("CLOUDSDK_CORE_ACCOUNT", "vm@p.iam.gserviceaccount.com");
  set("GCE_METADATA_HOST", "127.0.0.1:1");
  FakeTransport transport(
      {answer(200, R"({"access_token":"ya29.vm","expires_in":1800})", {{"metadata-flavor", "Google"}})});
  EXPECT_EQ(token(transport), "ya29.vm");
  EXPECT_NE(transport.requests[0].url.find("/service-accounts/vm%40p.iam.gserviceaccount.com/token"),
            std::string::npos);
}

}  // namespace
}  // namespace slipway::tpu
