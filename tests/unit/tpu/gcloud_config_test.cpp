#include "slipway/tpu/gcloud_config.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "slipway/core/file.h"
#include "support/scoped_env.h"
#include "support/temp_folder.h"

namespace slipway::tpu {
namespace {

using test::ScopedEnv;
using test::TempFolder;

class GcloudConfigTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) {
    ASSERT_TRUE(make_directories(folder_ / "configurations").ok());
    ASSERT_TRUE(write_file_atomically(folder_ / name, content).ok());
  }
  static std::string value(const std::string& section, const std::string& name) {
    const auto property = GcloudConfig::load().property(section, name);
    return property ? property->value : "(unset)";
  }

  TempFolder folder_;
  ScopedEnv config_{"CLOUDSDK_CONFIG", folder_.path()};
  ScopedEnv active_{"CLOUDSDK_ACTIVE_CONFIG_NAME", std::nullopt};
  ScopedEnv project_{"CLOUDSDK_CORE_PROJECT", std::nullopt};
};

TEST_F(GcloudConfigTest, ReadsTheDefaultConfiguration) {
  write("configurations/config_default",
        "# made by hand\n[core]\nproject = my-project\r\naccount=a=b@c\n; old\n[compute]\n Zone : "
        "us-central2-b \n");
  EXPECT_EQ(value("core", "project"), "my-project");
  EXPECT_EQ(value("core", "account"), "a=b@c");
  EXPECT_EQ(value("compute", "zone"), "us-central2-b");
  EXPECT_EQ(value("compute", "project"), "(unset)");
  EXPECT_EQ(GcloudConfig::load().property("core", "project")->origin,
            folder_ / "configurations/config_default");
}

TEST_F(GcloudConfigTest, TheActiveConfigurationIsNamedByTheVariableElseByTheFile) {
  write("configurations/config_default", "[core]\nproject = d\n");
  write("configurations/config_work", "[core]\nproject = w\n");
  write("configurations/config_play", "[core]\nproject = p\n");
  write("active_config", "work\n");
  EXPECT_EQ(value("core", "project"), "w");
  const ScopedEnv name("CLOUDSDK_ACTIVE_CONFIG_NAME", "play");
  EXPECT_EQ(value("core", "project"), "p");
}

TEST_F(GcloudConfigTest, AConfigurationNamedNoneIsNoFile) {
  write("configurations/config_NONE", "[core]\nproject = d\n");
  const ScopedEnv name("CLOUDSDK_ACTIVE_CONFIG_NAME", "NONE");
  EXPECT_EQ(value("core", "project"), "(unset)");
}

TEST_F(GcloudConfigTest, ANameThatLeadsOutOfTheFolderIsNotFollowed) {
  write("evil", "[core]\nproject = evil\n");
  const ScopedEnv name("CLOUDSDK_ACTIVE_CONFIG_NAME", "x/../../evil");
  EXPECT_EQ(value("core", "project"), "(unset)");
}

TEST_F(GcloudConfigTest, AVariableWinsEvenWhenItIsEmpty) {
  write("configurations/config_default", "[core]\nproject = d\n");
  {
    const ScopedEnv project("CLOUDSDK_CORE_PROJECT", "e");
    EXPECT_EQ(value("core", "project"), "e");
    EXPECT_EQ(GcloudConfig::load().property("core", "project")->origin, "CLOUDSDK_CORE_PROJECT");
  }
  const ScopedEnv project("CLOUDSDK_CORE_PROJECT", "");
  EXPECT_EQ(value("core", "project"), "");
}

TEST_F(GcloudConfigTest, NoFolderAndGarbageAreNoSettings) {
  EXPECT_EQ(value("core", "project"), "(unset)");
  write("configurations/config_default", std::string("[core\nproject\n\0\xff = x\n=y\n", 24));
  EXPECT_EQ(value("core", "project"), "(unset)");
}

TEST_F(GcloudConfigTest, TheInstallationsPropertiesStandBelowTheConfiguration) {
  const TempFolder sdk;
  ASSERT_TRUE(make_directories(sdk / "bin").ok());
  ASSERT_TRUE(make_directories(sdk / ".install").ok());
  ASSERT_TRUE(
      write_file_atomically(sdk / "properties", "[core]\nproject = of-all\naccount = all%%25\n").ok());
  ASSERT_TRUE(write_file_atomically(sdk / "bin/gcloud", "#!/bin/sh\n", 0755).ok());
  std::filesystem::create_symlink(sdk / "bin/gcloud", folder_ / "gcloud");
  const ScopedEnv root("CLOUDSDK_ROOT_DIR", std::nullopt);
  const ScopedEnv path("PATH", "/nowhere:" + folder_.path() + ":/usr/bin:/bin");
  EXPECT_EQ(value("core", "project"), "of-all");
  EXPECT_EQ(value("core", "account"), "all%25");
  EXPECT_EQ(GcloudConfig::load().property("core", "project")->origin,
            std::filesystem::canonical(sdk.path()).string() + "/properties");
  write("configurations/config_default", "[core]\nproject = mine\n");
  EXPECT_EQ(value("core", "project"), "mine");
  EXPECT_EQ(value("core", "account"), "all%25");
  std::filesystem::remove_all(sdk / ".install");
  EXPECT_EQ(value("core", "account"), "(unset)") << "gcloud does not look without .install";
}

TEST_F(GcloudConfigTest, WithoutTheVariableTheFolderIsInTheHome) {
  const ScopedEnv config("CLOUDSDK_CONFIG", std::nullopt);
  const ScopedEnv home("HOME", "/home/somebody");
  EXPECT_EQ(GcloudConfig::load().folder(), "/home/somebody/.config/gcloud");
}

}  // namespace
}  // namespace slipway::tpu
