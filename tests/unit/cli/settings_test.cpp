#include "cli/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "slipway/core/file.h"
#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

/// A home of its own, with gcloud's configuration in it.
class SettingsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"CLOUDSDK_CONFIG", "CLOUDSDK_CORE_PROJECT", "CLOUDSDK_COMPUTE_ZONE",
                             "CLOUDSDK_ACTIVE_CONFIG_NAME", "CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU"}) {
      ::unsetenv(name);
    }
    ::setenv("HOME", home_.path().c_str(), 1);
  }

  void write_gcloud_configuration(const std::string& text) const {
    const std::string folder = home_ / ".config/gcloud/configurations";
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(write_file_atomically(folder + "/config_default", text).ok());
  }

  test::TempFolder home_;
  GlobalOptions options_;
};

TEST_F(SettingsTest, TellsAllThatIsMissingAtOnce) {
  const auto settings = resolve_settings(options_, Needs::kLocation);
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.error().code(), ErrorCode::kUsage);
  EXPECT_EQ(settings.error().message(), "the project and the zone must be known");
}

TEST_F(SettingsTest, TakesGcloudsConfigurationThenItsEnvironmentThenTheFlag) {
  write_gcloud_configuration("[core]\nproject = from-file\n[compute]\nzone = zone-file\n");
  EXPECT_EQ(resolve_settings(options_, Needs::kLocation)->location, (Location{"from-file", "zone-file"}));
  ::setenv("CLOUDSDK_CORE_PROJECT", "from-env", 1);
  EXPECT_EQ(resolve_settings(options_, Needs::kLocation)->location.project, "from-env");
  options_.project = "from-flag";
  EXPECT_EQ(resolve_settings(options_, Needs::kLocation)->location, (Location{"from-flag", "zone-file"}));
  ::unsetenv("CLOUDSDK_CORE_PROJECT");
}

TEST_F(SettingsTest, AFullNameNeedsNeitherProjectNorZone) {
  const auto settings = resolve_settings_for(options_, "projects/p/locations/z/queuedResources/q");
  ASSERT_TRUE(settings.ok()) << settings.error().message();
  EXPECT_EQ(settings->settings.location, (Location{"p", "z"}));
  EXPECT_EQ(settings->name.id, "q");
}

TEST_F(SettingsTest, TheEndpointIsGooglesUnlessSaidOtherwise) {
  EXPECT_EQ(resolve_settings(options_, Needs::kNothing)->endpoint, "https://tpu.googleapis.com");
  ::setenv("CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU", "http://127.0.0.1:1/", 1);
  const auto overridden = resolve_settings(options_, Needs::kNothing);
  EXPECT_EQ(overridden->endpoint, "http://127.0.0.1:1");
  EXPECT_FALSE(overridden->endpoint_was_named)
      << "a token goes to a strange host only when the user names it";
  options_.endpoint = "https://x.test";
  EXPECT_TRUE(resolve_settings(options_, Needs::kNothing)->endpoint_was_named);
  ::unsetenv("CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU");
}

TEST_F(SettingsTest, AZoneThatCouldLeaveThePathIsRefused) {
  options_.project = "p";
  options_.zone = "z/../../x";
  EXPECT_EQ(resolve_settings(options_, Needs::kLocation).error().code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace slipway::cli
