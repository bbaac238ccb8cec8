// Where a setting comes from, layer by layer, as a user would arrange it.
#include <gtest/gtest.h>

#include <filesystem>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"

namespace slipway::test {
namespace {

namespace fs = std::filesystem;

class SettingsLayers : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(user_.home() / path).parent_path());
    ASSERT_TRUE(write_file_atomically(user_.home() / path, text).ok());
  }

  /// Value and origin of a setting, as seen from the project's folder.
  std::string explained(const std::string& setting, const std::string& flags = "") const {
    const Ended ended =
        user_.shell("mkdir -p project/deep && cd project/deep && slipway config explain " + flags +
                    " --format value | awk -F '\\t' '$1 == \"" + setting + "\" {print $2 \" from \" $3}'");
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out.substr(0, ended.out.find('\n'));
  }

  SlipwayUser user_;
};

TEST_F(SettingsLayers, EachStandsAboveTheNext) {
  const std::string home = user_.home().path();
  EXPECT_EQ(explained("zone"), " from default");
  write(".config/gcloud/configurations/config_default", "[compute]\nzone = from-gcloud\n");
  EXPECT_EQ(explained("zone"), "from-gcloud from " + home + "/.config/gcloud/configurations/config_default");
  user_.environment["CLOUDSDK_COMPUTE_ZONE"] = "from-cloudsdk";
  EXPECT_EQ(explained("zone"), "from-cloudsdk from CLOUDSDK_COMPUTE_ZONE");
  write(".config/slipway/slipway.yaml", "zone: from-user\n");
  EXPECT_EQ(explained("zone"), "from-user from " + home + "/.config/slipway/slipway.yaml:1:1");
  write("project/slipway.yaml", "# ours\nzone: from-project\n");
  EXPECT_EQ(explained("zone"), "from-project from " + home + "/project/slipway.yaml:2:1");
  user_.environment["SLIPWAY_ZONE"] = "from-env";
  EXPECT_EQ(explained("zone"), "from-env from SLIPWAY_ZONE");
  EXPECT_EQ(explained("zone", "--zone from-flag"), "from-flag from command line");
}

TEST_F(SettingsLayers, ASettingOfOneCommandIsShownUnderItsName) {
  write("project/slipway.yaml", "run: {batch-size: 9}\n");
  EXPECT_EQ(explained("run batch-size"), "9 from " + user_.home().path() + "/project/slipway.yaml:1:7");
  EXPECT_EQ(explained("run output", "run"), "prefix from default");
}

TEST_F(SettingsLayers, WhoCallsAreMadeAsIsOneOfThem) {
  EXPECT_EQ(explained("credentials"), " from not signed in to Google Cloud");
  user_.environment["CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"] = user_.home() / "token";
  EXPECT_EQ(explained("credentials"),
            "access token file " + (user_.home() / "token") + " from CLOUDSDK_AUTH_ACCESS_TOKEN_FILE");
  EXPECT_EQ(explained("credentials", "--access-token-file t"), "access token file t from command line");
  user_.environment["SLIPWAY_ACCESS_TOKEN_FILE"] = "e";
  EXPECT_EQ(explained("credentials"), "access token file e from SLIPWAY_ACCESS_TOKEN_FILE");
  EXPECT_EQ(explained("credentials", "--impersonate-service-account s@p"),
            "service account s@p through access token file e from command line");
  user_.environment.erase("SLIPWAY_ACCESS_TOKEN_FILE");
  user_.environment.erase("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE");
  const std::string known = ".config/gcloud/application_default_credentials.json";
  write(known, R"({"type":"authorized_user","client_id":"i","client_secret":"s","refresh_token":"r"})");
  EXPECT_EQ(explained("credentials"),
            "the user of " + (user_.home() / known) + " from " + (user_.home() / known));
}

TEST_F(SettingsLayers, ABrokenFileStopsEveryCommandBeforeAnythingIsContacted) {
  write("slipway.yaml", "zone: z\nzoen: z\n");
  const Ended ended = user_.slipway({"list"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("slipway.yaml:2:1: there is no flag 'zoen'"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("did you mean 'zone'?"), std::string::npos);
  EXPECT_EQ(user_.slipway({"list", "--help"}).code, 0);
}

TEST_F(SettingsLayers, AProjectCannotSendTheTokenElsewhere) {
  write("slipway.yaml", "project: p\nzone: z\nendpoint: https://evil.test\n");
  const Ended ended = user_.slipway({"list"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("cannot set 'endpoint'"), std::string::npos) << ended.err;
}

TEST_F(SettingsLayers, AProjectCannotSendTheUsersFilesAway) {
  write("secret", "mine");
  write("project/up.sh", "echo up");
  const auto asked = [&](const std::string& line) {
    write("project/slipway.yaml", "project: p\nzone: z\n" + line + "\n");
    return user_.shell(
        "mkdir -p project/deep && cd project/deep && slipway create q --node-count 2 --accelerator-type "
        "v4-16 "
        "--dry-run");
  };
  for (const std::string& line :
       {std::string("metadata-from-file: {k: ../secret}"), "startup-script: " + (user_.home() / "secret"),
        std::string("startup-script: ../secret"), std::string("create: {from-file: ../secret}")}) {
    const Ended ended = asked(line);
    EXPECT_EQ(ended.code, 2) << line << ended.out;
    EXPECT_NE(ended.err.find("slipway.yaml:3:"), std::string::npos) << ended.err;
    EXPECT_EQ(ended.out, "");
  }
  EXPECT_NE(asked("startup-script: up.sh").out.find("echo up"), std::string::npos);
}

TEST_F(SettingsLayers, AMapInAFileArrivesWithItsCommas) {
  write("slipway.yaml",
        "project: p\nzone: us-central2-b\nlabels: {team: vision}\nmetadata: {note: 'a,b', x: y}\n");
  const Ended shown = user_.slipway({"create", "q", "--node-count", "2", "--accelerator-type", "v4-16",
                                     "--runtime-version", "tpu-ubuntu2204-base", "--dry-run"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("\"note\": \"a,b\""), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("\"team\": \"vision\""), std::string::npos) << shown.out;
}

TEST_F(SettingsLayers, AWrongValueIsBlamedOnTheLayerThatSaysIt) {
  const std::string file = user_.home() / "slipway.yaml";
  const auto message = [&](const std::vector<std::string>& words) {
    const Ended ended = user_.slipway(words);
    EXPECT_EQ(ended.code, 2);
    return ended.err.substr(0, ended.err.find('\n'));
  };
  write("slipway.yaml", "project: p\nzone: [a, b]\nrun: {batch-size: abc, timeout: 3x}\ncolor: blue\n");
  EXPECT_EQ(message({"list", "--color", "never"}),
            "slipway: list: --zone (" + file + ":2:1) 'a,b' is not a name that the API takes");
  EXPECT_EQ(message({"list"}), "slipway: list: --color (" + file + ":4:1): there is no 'blue'");
  const std::vector<std::string> run{"run", "q", "--zone", "z", "--color", "never", "--command", "true"};
  EXPECT_EQ(message(run).find("slipway: run: --batch-size (" + file + ":3:7): 'abc' is no number"), 0U);
  user_.environment["SLIPWAY_BATCH_SIZE"] = "7";
  EXPECT_EQ(message(run), "slipway: run: --timeout (" + file + ":3:24): '3x' is no duration");
  user_.environment["SLIPWAY_TIMEOUT"] = "1m";
  user_.environment["SLIPWAY_OUTPUT"] = "foo";
  EXPECT_EQ(message(run), "slipway: run: --output (SLIPWAY_OUTPUT): there is no 'foo'");
  EXPECT_EQ(message({"list", "--zone", "A!", "--color", "never"}),
            "slipway: list: --zone 'A!' is not a name that the API takes");
}

TEST_F(SettingsLayers, ALogThatCannotBeWrittenIsSaidBeforeAnythingIsDone) {
  const Ended ended = user_.slipway({"config", "explain", "--log-file", user_.home() / "no/such/folder/log"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_NE(ended.err.find("--log-file: cannot write"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("  next: "), std::string::npos) << ended.err;
  EXPECT_FALSE(fs::exists(user_.home() / "no"));
  EXPECT_EQ(user_.slipway({"config", "explain", "--log-file", user_.home().path()}).code, 2);
  EXPECT_EQ(user_.slipway({"config", "explain", "-v", "--log-file", user_.home() / "log"}).code, 0);
  EXPECT_TRUE(fs::exists(user_.home() / "log"));
}

TEST_F(SettingsLayers, TheFilesRule) {
  const EmulatorUser user;
  user.create_ready("train-1", 1);
  ASSERT_TRUE(write_file_atomically(user.home() / "slipway.yaml", "format: json\n").ok());
  EXPECT_EQ(user.slipway({"list"}).out.front(), '[');
  EXPECT_EQ(user.slipway({"list", "--format", "table"}).out.rfind("NAME", 0), 0u);
}

}  // namespace
}  // namespace slipway::test
