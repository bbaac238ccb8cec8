#include "emulator/accelerator_catalog.h"

#include <gtest/gtest.h>

#include <set>

#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

TEST(AcceleratorCatalog, CountsCoresInTheNamesOfOldFamilies) {
  const auto v4 = find_accelerator("v4-16");
  ASSERT_TRUE(v4.has_value());
  EXPECT_EQ(v4->chips, 8);
  EXPECT_EQ(v4->workers, 2);
  EXPECT_EQ(v4->topology, "2x2x2");
}

TEST(AcceleratorCatalog, CountsChipsInTheNamesOfV5eAndV6e) {
  EXPECT_EQ(find_accelerator("v5litepod-16")->chips, 16);
  EXPECT_EQ(find_accelerator("v5litepod-16")->workers, 4);
  EXPECT_EQ(find_accelerator("v6e-8")->workers, 1);
  EXPECT_EQ(find_accelerator("v6e-256")->workers, 64);
}

TEST(AcceleratorCatalog, FindsAShapeByItsTopology) {
  EXPECT_EQ(find_accelerator("V5P", "4x4x8")->name, "v5p-256");
  EXPECT_FALSE(find_accelerator("V5P", "4x8x4").has_value());
}

TEST(AcceleratorCatalog, KnowsNothingElse) {
  for (const char* name : {"", "v4", "v4-12", "V4-16", "v5e-16", "v9-8"})
    EXPECT_FALSE(find_accelerator(name).has_value()) << name;
}

TEST(AcceleratorCatalog, TopologiesMultiplyToTheChips) {
  std::set<std::string> names;
  for (const Accelerator& one : accelerator_catalog()) {
    std::int64_t product = 1;
    for (const std::string& side : split(one.topology, 'x')) product *= std::stoll(side);
    EXPECT_EQ(product, one.chips) << one.name;
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_GE(one.workers, 1) << one.name;
  }
}

}  // namespace
}  // namespace slipway::emulator
