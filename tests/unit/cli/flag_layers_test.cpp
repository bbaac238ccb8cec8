#include "cli/flag_layers.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "slipway/core/file.h"
#include "support/scoped_env.h"
#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

namespace fs = std::filesystem;

/// A home with a project below it, in which the test stands.
class FlagLayersTest : public ::testing::Test {
 protected:
  FlagLayersTest() {
    fs::create_directories(project_ / "deep/er");
    fs::create_directories(home_ / ".config/slipway");
    fs::current_path(project_ / "deep/er");
  }
  ~FlagLayersTest() override { fs::current_path(before_); }

  void write(const std::string& path, const std::string& text) const {
    ASSERT_TRUE(write_file_atomically(path, text).ok());
  }

  std::string zone(const FlagLayers& layers) const {
    const auto value = layers.value("list", "zone", "SLIPWAY_ZONE", FlagKind::kText);
    EXPECT_TRUE(value.ok());
    return value.ok() && *value ? (*value)->words.front() : "";
  }

  const fs::path before_ = fs::current_path();
  test::TempFolder home_;
  const fs::path project_ = fs::path(home_.path()) / "project";
  test::ScopedEnv home_variable_{"HOME", home_.path()};
  test::ScopedEnv xdg_{"XDG_CONFIG_HOME", ""};
  test::ScopedEnv zone_variable_{"SLIPWAY_ZONE", ""};
};

TEST_F(FlagLayersTest, EachLayerStandsAboveTheNext) {
  EXPECT_EQ(zone(*FlagLayers::open("")), "");
  write(home_ / ".config/slipway/slipway.yaml", "zone: user\n");
  EXPECT_EQ(zone(*FlagLayers::open("")), "user");
  write(project_ / "slipway.yaml", "zone: project\n");
  EXPECT_EQ(zone(*FlagLayers::open("")), "project");
  const test::ScopedEnv set("SLIPWAY_ZONE", "environment");
  EXPECT_EQ(zone(*FlagLayers::open("")), "environment");
}

TEST_F(FlagLayersTest, AFileThatIsNamedIsTheOnlyOne) {
  write(home_ / ".config/slipway/slipway.yaml", "project: user\n");
  write(project_ / "slipway.yaml", "zone: project\n");
  write(home_ / "other.yaml", "zone: other\n");
  const auto layers = FlagLayers::open(home_ / "other.yaml");
  ASSERT_TRUE(layers.ok());
  EXPECT_EQ(zone(*layers), "other");
  EXPECT_EQ(layers->files().size(), 1u);
  EXPECT_FALSE(FlagLayers::open(home_ / "missing.yaml").ok());
}

TEST_F(FlagLayersTest, TheUsersFolderFollowsXdg) {
  fs::create_directories(home_ / "xdg/slipway");
  write(home_ / "xdg/slipway/slipway.yaml", "zone: xdg\n");
  const test::ScopedEnv xdg("XDG_CONFIG_HOME", home_ / "xdg");
  EXPECT_EQ(zone(*FlagLayers::open("")), "xdg");
}

TEST_F(FlagLayersTest, AProjectFileThatOthersCanWriteIsRefused) {
  const std::string path = project_ / "slipway.yaml";
  write(path, "zone: project\n");
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  const auto layers = FlagLayers::open("");
  ASSERT_FALSE(layers.ok());
  EXPECT_EQ(layers.error().code(), ErrorCode::kUsage);
  EXPECT_NE(layers.error().message().find("everybody may write to it"), std::string::npos);
}

}  // namespace
}  // namespace slipway::cli
