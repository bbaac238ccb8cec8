#include "cli/slice_source.h"

#include <gtest/gtest.h>

#include "slipway/core/clock.h"
#include "support/fake_clock.h"
#include "support/scoped_env.h"
#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

class SliceSourceTest : public ::testing::Test {
 protected:
  SliceSourceTest() {
    options_.project = "p";
    options_.zone = "z";
  }
  SliceSource source(const std::string& word) {
    const auto found = resolve_settings_for_slices(options_, word);
    EXPECT_TRUE(found.ok()) << found.error().message();
    return found.ok() ? found->source : SliceSource();
  }

  test::TempFolder home_;
  test::ScopedEnv config_{"CLOUDSDK_CONFIG", home_.path()};
  GlobalOptions options_;
};

TEST_F(SliceSourceTest, AWordIsAQueuedResourceUnlessItSaysOtherwise) {
  EXPECT_EQ(source("train-1").kind, SliceSource::Kind::kQueuedResource);
  EXPECT_EQ(source("node:a").kind, SliceSource::Kind::kNode);
  EXPECT_EQ(source("prefix:a").kind, SliceSource::Kind::kPrefix);
  EXPECT_EQ(source("node").id, "node");
  for (const char* word : {"train-1", "node:a", "prefix:a-b"}) EXPECT_EQ(source(word).text(), word);
}

TEST_F(SliceSourceTest, AFullNameBringsItsOwnProjectAndZone) {
  const SliceSource node = source("node:projects/q/locations/y/nodes/n");
  EXPECT_EQ(node.location, (Location{"q", "y"}));
  EXPECT_EQ(node.id, "n");
}

TEST_F(SliceSourceTest, NamesThatTheApiWouldNotTakeAreRefusedBeforeItIsAsked) {
  for (const char* word : {"node:", "prefix:", "node:a b", "prefix:../x", "node:projects/p/nodes/n",
                           "node:projects/p/locations/z/queuedResources/q", "prefix:-a"}) {
    const auto found = resolve_settings_for_slices(options_, word);
    ASSERT_FALSE(found.ok()) << word;
    EXPECT_EQ(found.error().code(), ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace slipway::cli
