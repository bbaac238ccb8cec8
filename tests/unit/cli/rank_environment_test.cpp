#include "cli/rank_environment.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "cli/flags.h"
#include "slipway/core/file.h"

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

/// The names behind SLIPWAY_ that stand in `text` where a command's environment is made.
std::set<std::string> names_told_by(const std::string& text) {
  static const std::regex name(R"(SLIPWAY_([A-Z_]+)=)");
  std::set<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) names.insert((*at)[1]);
  return names;
}

TEST(RankEnvironment, TellsNothingByTheNameOfAFlagsVariable) {
  const Result<std::string> startup = read_file(SLIPWAY_SOURCE_DIR "/src/launch/startup.sh");
  ASSERT_TRUE(startup.ok());
  std::set<std::string> told = names_told_by(*startup);
  ASSERT_GE(told.size(), 10U);
  for (const auto& [name, value] : at({target(0, 0)}, 0)) told.insert(name.substr(8));
  for (std::string name : told) {
    for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_EQ(environment_name(name), "") << name << ": list it in flags.cpp";
  }
}

}  // namespace
}  // namespace slipway::cli
