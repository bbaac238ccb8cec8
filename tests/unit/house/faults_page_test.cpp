// docs/faults.md promises tests by name; this one sees that they are there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace slipway {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// "Suite.Name" of every test in the sources.
std::set<std::string> all_tests() {
  static const std::regex kTest(R"(\bTEST(?:_F|_P)?\((\w+),\s*(\w+)\))");
  std::set<std::string> tests;
  for (const auto& entry : fs::recursive_directory_iterator(SLIPWAY_SOURCE_DIR "/tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), kTest), end; at != end; ++at)
      tests.insert((*at)[1].str() + "." + (*at)[2].str());
  }
  return tests;
}

TEST(FaultsPage, NamesOnlyTestsThatAreThereAndHasOneInEachRow) {
  static const std::regex kName(R"(\b([A-Z]\w+\.[A-Z]\w+)\b)");
  const std::set<std::string> tests = all_tests();
  std::ifstream page(SLIPWAY_SOURCE_DIR "/docs/faults.md");
  std::string row;
  int rows = 0;
  while (std::getline(page, row)) {
    if (row.rfind("| ", 0) != 0 || row.rfind("| fault |", 0) == 0) continue;
    ++rows;
    const std::string proof = row.substr(row.rfind('|', row.size() - 2));
    int named = 0;
    for (std::sregex_iterator at(proof.begin(), proof.end(), kName), end; at != end; ++at, ++named)
      EXPECT_EQ(tests.count((*at)[1].str()), 1U) << (*at)[1].str();
    EXPECT_GT(named, 0) << row;
  }
  EXPECT_GT(rows, 75);
}

/// Its names may be the beginnings of tests: the number of a case, and no more.
TEST(FaultsPage, TheJobsPageNamesTestsThatAreThere) {
  static const std::regex kName(R"(\b([A-Z]\w+\.[A-Z]\w+)\b)");
  const std::set<std::string> tests = all_tests();
  std::ifstream page(SLIPWAY_SOURCE_DIR "/docs/job-failures.md");
  std::string row;
  int rows = 0;
  while (std::getline(page, row)) {
    std::smatch name;
    if (row.rfind("| ", 0) != 0 || row.rfind("| case |", 0) == 0 || row.rfind("| what goes wrong |", 0) == 0)
      continue;
    ++rows;
    ASSERT_TRUE(std::regex_search(row, name, kName)) << row;
    const auto found = tests.lower_bound(name[1].str());
    EXPECT_TRUE(found != tests.end() && found->rfind(name[1].str(), 0) == 0) << row;
  }
  EXPECT_GT(rows, 30);
}

}  // namespace
}  // namespace slipway
