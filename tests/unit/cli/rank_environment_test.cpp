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

std::map<std::string, std::string> at(const std::vector<fleet::Target>& targets, std::size_t position,
                                      RankNames names = {true, false, false}) {
  const Environment environment = rank_environment(targets, position, "10.0.0.2", names);
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

TEST(RankEnvironment, OfSlicesWithUnequalWorkersEachProcessHasANumberOfItsOwn) {
  const std::vector<fleet::Target> targets{target(0, 0), target(1, 0), target(1, 1), target(2, 0)};
  EXPECT_EQ(at(targets, 3).at("SLIPWAY_PROCESS_ID"), "3");
  EXPECT_EQ(at(targets, 1).at("SLIPWAY_WORKERS_PER_SLICE"), "2");
  EXPECT_EQ(at(targets, 3).at("SLIPWAY_WORKERS_PER_SLICE"), "1");
}

TEST(RankEnvironment, SpeaksTheFrameworksNamesOnlyWhenAsked) {
  const std::vector<fleet::Target> targets{target(0, 0), target(0, 1), target(1, 0), target(1, 1)};
  EXPECT_TRUE(at(targets, 0, {}).empty());
  const auto megascale = at(targets, 2, {false, true, false});
  EXPECT_EQ(megascale, (std::map<std::string, std::string>{{"MEGASCALE_SLICE_ID", "1"},
                                                           {"MEGASCALE_NUM_SLICES", "2"},
                                                           {"MEGASCALE_COORDINATOR_ADDRESS", "10.0.0.2:8081"},
                                                           {"MEGASCALE_PORT", "8081"}}));
  const auto jax = at(targets, 2, {false, false, true});
  EXPECT_EQ(jax, (std::map<std::string, std::string>{{"JAX_PROCESS_ID", "2"},
                                                     {"JAX_NUM_PROCESSES", "4"},
                                                     {"JAX_PROCESS_COUNT", "4"},
                                                     {"JAX_COORDINATOR_ADDRESS", "10.0.0.2:8476"}}));
}

}  // namespace
}  // namespace slipway::cli
