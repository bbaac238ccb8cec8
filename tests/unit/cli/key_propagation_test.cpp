#include "cli/key_propagation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "support/fake_clock.h"
#include "support/fake_transport.h"
#include "support/string_output.h"

namespace slipway::cli {
namespace {

using test::answer;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh";

class FixedToken final : public tpu::TokenSource {
 public:
  Result<Secret> token() override { return Secret("ya29.token"); }
  bool refresh() override { return false; }
  std::string description() const override { return "test"; }
};

/// The TPU, Compute and OS Login APIs as far as logging in needs them, in memory.
class LoginTest : public ::testing::Test {
 protected:
  LoginTest() {
    transport_.respond = [this](const http::Request& request) { return respond(request); };
    transport_.clock = &clock_;
  }

  tpu::Client client(const std::string& endpoint) {
    tpu::ClientOptions options;
    options.endpoint = endpoint;
    return tpu::Client(transport_, clock_, tokens_, std::move(options), [] { return 0.5; });
  }

  Result<Admission> let_in(const std::string& account = "dev@example.com") {
    tpu::Client tpu = client("https://tpu.googleapis.com");
    tpu::Client compute = client("https://compute.googleapis.com/compute/v1");
    tpu::Client os_login = client("https://oslogin.googleapis.com");
    Services services{streams_.streams, clock_, interrupt_, true};
    std::vector<Node> nodes;
    for (const auto& [id, metadata] : metadata_) {
      Node node;
      node.name = {{"p", "z"}, id};
      node.metadata = metadata;
      nodes.push_back(node);
    }
    return cli::let_in({tpu, &compute, &os_login, account}, nodes, "alice", kKey, services);
  }

  http::Answer respond(const http::Request& request) {
    if (before) before(request);
    const std::string path = request.url.substr(request.url.find("googleapis.com") + 14);
    if (path.find("/loginProfile") != std::string::npos) return answer(200, profile());
    if (path.find(":importSshPublicKey") != std::string::npos) {
      imported = request.body;
      return answer(200, R"({"loginProfile":)" + profile() + "}");
    }
    if (path.rfind("/compute/v1/", 0) == 0) return answer(project_status, project);
    const std::string id = path.substr(path.rfind('/') + 1, path.find('?') - path.rfind('/') - 1);
    Metadata& metadata = metadata_[id];
    if (request.method == "PATCH") {
      ++patches;
      if (conflicts > 0) {
        --conflicts;
        return answer(
            409, R"({"error":{"code":409,"status":"ABORTED","message":"unable to queue the operation"}})");
      }
      if (!patches_are_lost) metadata = parse_json(request.body)->at("metadata").get<Metadata>();
      return answer(200, R"({"name":"projects/p/locations/z/operations/o","done":true})");
    }
    const Json node{{"name", "projects/p/locations/z/nodes/" + id}, {"metadata", metadata}};
    return answer(200, dump_json(node));
  }

  std::string profile() const {
    return R"({"posixAccounts":[{"username":"second"},{"username":"sa_111","primary":true}],"sshPublicKeys":)" +
           keys + "}";
  }

  using Metadata = std::map<std::string, std::string>;
  std::map<std::string, Metadata> metadata_;
  std::function<void(const http::Request&)> before;
  int conflicts = 0;
  bool patches_are_lost = false;
  int patches = 0;
  int project_status = 200;
  std::string project = "{}";
  std::string keys = "{}";
  std::string imported;

  test::FakeClock clock_;
  test::FakeTransport transport_;
  FixedToken tokens_;
  Interrupt interrupt_;
  test::StringStreams streams_;
};

TEST_F(LoginTest, ANodeThatHasTheKeyIsLeftAlone) {
  metadata_["a"] = {{"ssh-keys", "alice:" + kKey + " alice"}};
  const auto admission = let_in();
  ASSERT_TRUE(admission.ok()) << admission.error().message();
  EXPECT_FALSE(admission->just_told);
  EXPECT_EQ(admission->user_on("a"), "alice");
  EXPECT_EQ(patches, 0);
}

TEST_F(LoginTest, TheKeyIsAddedToWhatIsThereAtThatMoment) {
  metadata_["a"] = {{"ssh-keys", "old:ssh-rsa AAA old"}, {"startup-script", "echo old"}};
  // Between our look at the nodes and the change, somebody else comes.
  bool came = false;
  before = [&](const http::Request& request) {
    if (came || request.method != "GET" || request.url.find("/nodes/") == std::string::npos) return;
    came = true;
    metadata_["a"] = {{"ssh-keys", "old:ssh-rsa AAA old\nbob:ssh-rsa BBB bob"},
                      {"startup-script", "echo new"}};
  };
  const auto admission = let_in();
  ASSERT_TRUE(admission.ok()) << admission.error().message();
  EXPECT_TRUE(admission->just_told);
  EXPECT_EQ(metadata_["a"]["ssh-keys"], "old:ssh-rsa AAA old\nbob:ssh-rsa BBB bob\nalice:" + kKey + " alice");
  EXPECT_EQ(metadata_["a"]["startup-script"], "echo new");
}

TEST_F(LoginTest, AConflictIsTriedAgainFromWhatIsThereThen) {
  metadata_["a"] = {};
  metadata_["b"] = {{"startup-script", "x"}};
  conflicts = 3;
  const auto admission = let_in();
  ASSERT_TRUE(admission.ok()) << admission.error().message();
  EXPECT_THAT(metadata_["a"]["ssh-keys"], HasSubstr(kKey));
  EXPECT_THAT(metadata_["b"]["ssh-keys"], HasSubstr(kKey));
  EXPECT_EQ(metadata_["b"]["startup-script"], "x");
}

TEST_F(LoginTest, AKeyThatSomebodyElseTakesOutAgainIsAnErrorInTheEnd) {
  metadata_["a"] = {};
  patches_are_lost = true;
  const auto admission = let_in();
  ASSERT_FALSE(admission.ok());
  EXPECT_EQ(admission.error().code(), ErrorCode::kConflict);
  EXPECT_LT(patches, 10);
}

TEST_F(LoginTest, AKeyOfTheWholeProjectIsEnoughUnlessTheNodeBlocksIt) {
  metadata_["a"] = {};
  project =
      R"({"commonInstanceMetadata":{"items":[{"key":"ssh-keys","value":"alice:)" + kKey + R"( alice"}]}})";
  ASSERT_TRUE(let_in().ok());
  EXPECT_EQ(patches, 0);
  metadata_["a"] = {{"block-project-ssh-keys", "TRUE"}};
  ASSERT_TRUE(let_in().ok());
  EXPECT_EQ(patches, 1);
}

TEST_F(LoginTest, WithOsLoginTheKeyBecomesOneOfTheAccount) {
  metadata_["a"] = {{"enable-oslogin", "TRUE"}};
  metadata_["b"] = {{"enable-oslogin", "FALSE"}};
  const auto admission = let_in();
  ASSERT_TRUE(admission.ok()) << admission.error().message();
  EXPECT_EQ(admission->user_on("a"), "sa_111") << "the primary one";
  EXPECT_EQ(admission->user_on("b"), "alice");
  EXPECT_EQ(imported, R"({"key":")" + kKey + R"("})");
  EXPECT_EQ(patches, 1) << "only the node without OS Login";
  EXPECT_TRUE(admission->just_told);
}

TEST_F(LoginTest, AnAccountThatHasTheKeyIsNotToldAgain) {
  metadata_["a"] = {{"enable-oslogin", "true"}};
  keys = R"({"ab12":{"key":")" + kKey + R"( comment"}})";
  const auto admission = let_in();
  ASSERT_TRUE(admission.ok());
  EXPECT_FALSE(admission->just_told);
  EXPECT_EQ(imported, "");
}

TEST_F(LoginTest, TheProjectSaysItForNodesThatDoNot) {
  metadata_["a"] = {};
  metadata_["b"] = {{"enable-oslogin", "FALSE"}};
  project = R"({"commonInstanceMetadata":{"items":[{"key":"enable-oslogin","value":"TRUE"}]}})";
  const auto admission = let_in();
  ASSERT_TRUE(admission.ok());
  EXPECT_EQ(admission->os_login, (std::set<std::string>{"a"}));
}

TEST_F(LoginTest, AProjectThatMayNotBeReadIsOneThatSaysNothing) {
  metadata_["a"] = {};
  project_status = 403;
  const auto admission = let_in();
  ASSERT_TRUE(admission.ok()) << admission.error().message();
  EXPECT_EQ(patches, 1);
}

TEST_F(LoginTest, OsLoginWithoutAKnownAccountSaysHowToNameIt) {
  metadata_["a"] = {{"enable-oslogin", "TRUE"}};
  const auto admission = let_in("");
  ASSERT_FALSE(admission.ok());
  EXPECT_EQ(admission.error().code(), ErrorCode::kUsage);
  EXPECT_THAT(admission.error().next(), HasSubstr("--account"));
}

}  // namespace
}  // namespace slipway::cli
