// What people and other tools read of one resource: describe, workers, and what the zone offers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "slipway/core/yaml.h"

namespace slipway::test {
namespace {

using ::testing::HasSubstr;

class Views : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = std::make_unique<EmulatorUser>();
    user_->create_ready("train-1", 2);
  }
  static void TearDownTestSuite() { user_.reset(); }

  static std::string out(const std::vector<std::string>& words) {
    const Ended ended = user_->slipway(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out;
  }

  static std::string err(const std::vector<std::string>& words) { return user_->slipway(words).err; }

  static std::unique_ptr<EmulatorUser> user_;
};
std::unique_ptr<EmulatorUser> Views::user_;

TEST_F(Views, AFieldThatNothingHasIsSaid) {
  EXPECT_THAT(err({"list", "--filter", "stat.state=ACTIVE"}),
              HasSubstr("nothing in the list has 'stat.state'"));
  EXPECT_THAT(err({"list", "--sort-by", "nme"}), HasSubstr("--sort-by: nothing in the list has 'nme'"));
  EXPECT_EQ(err({"list", "--filter", "state.state=ACTIVE", "--sort-by", "name"}), "");
}

TEST_F(Views, WhereNothingIsInAnyZoneNoDashIsNamed) {
  EXPECT_THAT(err({"sweep", "--zone=-", "--yes"}), HasSubstr("nothing to sweep in any zone"));
  EXPECT_THAT(err({"list", "--zone=-", "--filter", "name:none"}),
              HasSubstr("no queued resources in any zone"));
}

TEST_F(Views, DescribeTellsPeopleTheShapeTheSlicesAndWhatToTypeNext) {
  const std::string text = out({"describe", "train-1"});
  EXPECT_THAT(text, HasSubstr("state:       ACTIVE\n"));
  EXPECT_THAT(text, HasSubstr("2 slices of v4-16: 8 chips, 2 workers each"));
  EXPECT_THAT(text, HasSubstr("train-1-1  READY  HEALTHY  2"));
  EXPECT_THAT(text, HasSubstr("next:        slipway run train-1"));
}

TEST_F(Views, DescribeSaysWhyARequestFailedAndWhatToDo) {
  EmulatorUser user;
  user.create_ready("q", 2);
  ASSERT_EQ(user.slipway({"emulator", "fail", "q", "--code", "8", "--message", "no more capacity"}).code, 0);
  const std::string text = user.slipway({"describe", "q"}).out;
  EXPECT_THAT(text, HasSubstr("FAILED"));
  EXPECT_THAT(text, HasSubstr("no more capacity"));
}

TEST_F(Views, TheRawResourceIsTheSameInJsonAndYaml) {
  const Result<Json> json = parse_json(out({"describe", "train-1", "--format", "json"}));
  ASSERT_TRUE(json.ok());
  const Result<YamlValue> yaml = parse_yaml(out({"describe", "train-1", "--format", "yaml"}), "yaml");
  ASSERT_TRUE(yaml.ok()) << yaml.error().message();
  EXPECT_EQ(yaml->find("name")->text, string_member(*json, "name"));
  EXPECT_EQ(yaml->find("tpu")->find("nodeSpec")->items.size(), 2U);
}

TEST_F(Views, SshReachesAWorkerThroughTheSshConfig) {
  const Ended ended = user_->shell(
      "slipway workers train-1 --format ssh-config >config && ssh -F config train-1-1-w1 'echo "
      "$SSH_CONNECTION'");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("127.1.1.2"));
}

TEST_F(Views, TheAnsibleInventoryIsYamlWithAGroupASlice) {
  const Result<YamlValue> yaml = parse_yaml(out({"workers", "train-1", "--format", "ansible"}), "inventory");
  ASSERT_TRUE(yaml.ok()) << yaml.error().message();
  const YamlValue* groups = yaml->find("all")->find("children")->find("qr_train_1")->find("children");
  ASSERT_EQ(groups->entries.size(), 2U);
  const YamlValue* hosts = groups->find("slice_train_1_1")->find("hosts");
  EXPECT_EQ(hosts->find("train-1-1-w0")->find("ansible_host")->text, "127.1.1.1");
}

TEST_F(Views, HostsIsOneAddressALineOfTheSelectedWorkers) {
  EXPECT_EQ(out({"workers", "train-1", "--format", "hosts", "--node", "1"}), "127.1.1.1\n127.1.1.2\n");
}

TEST_F(Views, TheZonesOffersAreSortedAsPeopleCount) {
  const std::string types = out({"accelerator-types", "--format", "value(type)"});
  const std::size_t eight = types.find("v4-8\n");
  const std::size_t sixteen = types.find("v4-16\n");
  ASSERT_NE(eight, std::string::npos) << types;
  EXPECT_LT(eight, sixteen);
  EXPECT_THAT(out({"runtime-versions"}), HasSubstr("tpu-ubuntu2204-base"));
  EXPECT_THAT(out({"locations", "--format", "json"}), HasSubstr("us-central2-b"));
}

}  // namespace
}  // namespace slipway::test
