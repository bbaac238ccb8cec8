// create, describe, list, workers, wait, reset, delete as a user types them.
#include <gtest/gtest.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

const std::vector<std::string> kShape{"--accelerator-type", "v4-16", "--runtime-version",
                                      "tpu-ubuntu2204-base"};

std::vector<std::string> create_words(const std::string& id, const std::vector<std::string>& more) {
  std::vector<std::string> words{"create", id};
  words.insert(words.end(), kShape.begin(), kShape.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(ControlPlane, AResourceLivesFromCreateToDelete) {
  const EmulatorUser user;
  ASSERT_EQ(user.slipway(create_words("q", {"--node-count", "2"})).code, 0);
  EXPECT_EQ(user.slipway({"wait", "q", "--for", "READY", "--timeout", "60s"}).code, 0);
  EXPECT_EQ(user.slipway({"describe", "q", "--format", "value"}).out, "ACTIVE\n");
  EXPECT_EQ(user.slipway({"list", "--format", "value"}).out, "q\tus-central2-b\t2\tv4-16\tACTIVE\n");
  const Ended workers = user.slipway({"workers", "q", "--format", "value"});
  EXPECT_EQ(split(workers.out, '\n').size(), 5U) << workers.out;
  EXPECT_EQ(user.slipway({"reset", "q", "--yes", "--wait"}).code, 0);

  const Ended refused = user.slipway({"delete", "q", "--yes"});
  EXPECT_EQ(refused.code, 6) << "an ACTIVE one needs --force";
  EXPECT_NE(refused.err.find("next: slipway delete q --force"), std::string::npos) << refused.err;
  EXPECT_EQ(user.slipway({"delete", "q", "--yes", "--force"}).code, 0);
  EXPECT_EQ(user.slipway({"describe", "q"}).code, 5);
  EXPECT_EQ(user.slipway({"list", "--format", "json"}).out, "[]\n");
  EXPECT_EQ(user.slipway({"delete", "q", "--yes", "--if-exists"}).code, 0);
  EXPECT_EQ(user.slipway({"delete", "q", "--yes"}).code, 5);
}

TEST(ControlPlane, JsonOnStdoutIsTheApisOwnAndNothingElse) {
  const EmulatorUser user;
  const Ended created = user.slipway(create_words("q", {"--node-id", "n", "--wait", "--format", "json"}));
  ASSERT_EQ(created.code, 0) << created.err;
  const Result<Json> document = parse_json(created.out);
  ASSERT_TRUE(document.ok()) << created.out;
  EXPECT_EQ(string_member(*document, "name"),
            "projects/emulator-project/locations/us-central2-b/queuedResources/q");
  EXPECT_EQ(find_path(*document, {"state", "state"})->get<std::string>(), "ACTIVE");
  const Ended described = user.slipway({"describe", "q", "--format", "json"});
  EXPECT_EQ(*parse_json(described.out), *document);
  EXPECT_EQ(described.err, "");
}

TEST(ControlPlane, EveryCreateAndDeleteHasARequestIdOfItsOwn) {
  const EmulatorUser user;
  ASSERT_EQ(user.slipway(create_words("q", {"--node-id", "n", "--wait"})).code, 0);
  ASSERT_EQ(user.slipway({"delete", "q", "--force", "--yes"}).code, 0);
  std::vector<std::string> ids;
  for (const Json& request : user.requests()) {
    if (const std::string id = string_member(request, "requestId"); !id.empty()) ids.push_back(id);
  }
  ASSERT_EQ(ids.size(), 2U);
  EXPECT_EQ(ids[0].size(), 36U);
  EXPECT_NE(ids[0], ids[1]);
  EXPECT_TRUE(user.shell("! find \"$HOME/.local/state/slipway/requests\" -name '*.json*' | grep .").code == 0)
      << "both are closed";
}

TEST(ControlPlane, ADryRunSendsNothingAndItsCurlLineWorksWhenPasted) {
  const EmulatorUser user;
  std::vector<std::string> words = create_words("q", {"--node-count", "2", "--metadata", "k=it's $HOME"});
  words.push_back("--dry-run=curl");
  const Ended shown = user.slipway(words);
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(user.requests().size(), 0U);
  const std::string token = read_file(user.environment.at("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE")).value();
  EXPECT_EQ(shown.out.find(std::string(trim(token))), std::string::npos)
      << "the token is fetched, never shown";

  const Ended pasted = user.shell(shown.out);
  EXPECT_EQ(pasted.code, 0) << pasted.err;
  EXPECT_EQ(user.slipway({"wait", "q", "--timeout", "60s"}).code, 0) << pasted.out;
  const Json created = *parse_json(user.slipway({"describe", "q", "--format", "json"}).out);
  EXPECT_EQ(created["tpu"]["nodeSpec"][0]["node"]["metadata"]["k"], "it's $HOME");
}

TEST(ControlPlane, ARequestBeyondTheCapacityWaitsUntilThereIsRoom) {
  const EmulatorUser user({"--provision-delay", "50ms", "--capacity", "8"});
  user.create_ready("first", 1);
  ASSERT_EQ(user.slipway(create_words("second", {"--node-id", "s"})).code, 0);
  const Ended looked = user.slipway({"wait", "second", "--timeout", "0"});
  EXPECT_EQ(looked.code, 124) << looked.err;
  ASSERT_EQ(user.slipway({"delete", "first", "--force", "--yes"}).code, 0);
  EXPECT_EQ(user.slipway({"wait", "second", "--timeout", "60s"}).code, 0);
}

TEST(ControlPlane, AnExistingNameIsAConflict) {
  const EmulatorUser user;
  user.create_ready("q", 1);
  const Ended again = user.slipway(create_words("q", {"--node-count", "3"}));
  EXPECT_EQ(again.code, 6) << again.err;
}

TEST(ControlPlane, TheStartupScriptRunsAtBootAndAfterAReset) {
  const EmulatorUser user;
  const std::string script = user.home() / "boot.sh";
  ASSERT_TRUE(write_file_atomically(script, "#!/bin/bash\necho booted >> ~/boots\n").ok());
  ASSERT_EQ(user.slipway(create_words("q", {"--node-id", "n", "--wait", "--startup-script", script})).code,
            0);
  const std::string wait_for =
      "n=0; until [ \"$(wc -l 2>/dev/null < ~/boots)\" = COUNT ] || [ $n = 300 ]; do n=$((n+1)); read -t 0.1 "
      "< <(:); done; wc -l < ~/boots";
  const auto boots = [&](const std::string& count) {
    std::string command = wait_for;
    command.replace(command.find("COUNT"), 5, count);
    return user.slipway({"run", "q", "--worker", "0", "--command", command});
  };
  EXPECT_EQ(boots("1").out, "n/0: 1\n");
  ASSERT_EQ(user.slipway({"reset", "q", "--yes", "--wait"}).code, 0);
  const Ended after = boots("2");
  EXPECT_EQ(after.out, "n/0: 2\n") << after.err;
}

}  // namespace
}  // namespace slipway::test
