#include "cli/rank_environment.h"

#include <gtest/gtest.h>

#include <map>

namespace slipway::cli {
namespace {

fleet::Target target(std::size_t slice, std::size_t worker) {
  fleet::Target target;
  target.slice = "s-" + std::to_string(slice);
  target.slice_index = slice;
  target.worker = worker;
  return target;
}

std::map<std::string, std::string> at(const std::vector<fleet::Target>& targets, std::size_t position) {
  const Environment environment = rank_environment(targets, position, "10.0.0.2");
  return {environment.begin(), environment.end()};
}

TEST(RankEnvironment, CountsProcessesOverAllSlices) {
  const std::vector<fleet::Target> targets{target(0, 0), target(0, 1), target(1, 0), target(1, 1)};
  const auto last = at(targets, 3);
  EXPECT_EQ(last.at("SLIPWAY_PROCESS_ID"), "3");
  EXPECT_EQ(last.at("SLIPWAY_NUM_PROCESSES"), "4");
  EXPECT_EQ(last.at("SLIPWAY_SLICE"), "1");
  EXPECT_EQ(last.at("SLIPWAY_WORKER"), "1");
  EXPECT_EQ(last.at("SLIPWAY_NUM_SLICES"), "2");
  EXPECT_EQ(last.at("SLIPWAY_WORKERS_PER_SLICE"), "2");
  EXPECT_EQ(last.at("SLIPWAY_COORDINATOR"), "10.0.0.2");
}

TEST(RankEnvironment, StaysDenseWhenASelectionLeavesSlicesOut) {
  const std::vector<fleet::Target> targets{target(2, 1), target(5, 1)};
  EXPECT_EQ(at(targets, 0).at("SLIPWAY_SLICE"), "0");
  EXPECT_EQ(at(targets, 1).at("SLIPWAY_SLICE"), "1");
  EXPECT_EQ(at(targets, 1).at("SLIPWAY_WORKER"), "0");
  EXPECT_EQ(at(targets, 1).at("SLIPWAY_NUM_SLICES"), "2");
}

}  // namespace
}  // namespace slipway::cli
