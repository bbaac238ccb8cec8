#include "slipway/model/queued_resource.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

QueuedResource of(std::vector<NodeSpec> specs) {
  QueuedResource resource;
  resource.name = {{"p", "z"}, "q"};
  resource.node_specs = std::move(specs);
  return resource;
}

TEST(SliceNames, AreTheNodeIdsOnceTheApiHasExpandedThem) {
  EXPECT_EQ(of({{.node_id = "a"}, {.node_id = "b"}}).slice_names(), (std::vector<std::string>{"a", "b"}));
}

TEST(SliceNames, AreDerivedBeforeThat) {
  EXPECT_EQ(of({{.node_count = 2, .node_id_prefix = "s"}}).slice_names(),
            (std::vector<std::string>{"s-0", "s-1"}));
  EXPECT_EQ(of({{.node_count = 2}}).slice_names(), (std::vector<std::string>{"q-0", "q-1"}));
}

TEST(QueuedResourceState, ReadsTheApisWordsInAnyCase) {
  for (const std::string& name : queued_resource_state_names()) {
    const auto state = parse_queued_resource_state(name);
    ASSERT_TRUE(state) << name;
    EXPECT_EQ(to_string(*state), name);
  }
  EXPECT_EQ(parse_queued_resource_state("active"), QueuedResourceState::kActive);
  EXPECT_FALSE(parse_queued_resource_state("SOMETHING_NEW"));
}

}  // namespace
}  // namespace slipway
