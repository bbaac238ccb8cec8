// Holds the sources against the drawing in docs/map.md: which room may include which, and which room a third
// party belongs to.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace slipway {
namespace {

namespace fs = std::filesystem;
using Rooms = std::set<std::string>;

/// The arrows, as drawn. A new one wants a decision in docs/adr.
const std::map<std::string, Rooms>& arrows() {
  static const std::map<std::string, Rooms> drawn = {
      {"core", {}},
      {"model", {"core"}},
      {"http", {"model", "core"}},
      {"storage", {"http", "model", "core"}},
      {"tpu", {"http", "model", "core"}},
      {"ssh", {"model", "core"}},
      {"tunnel", {"ssh", "http", "model", "core"}},
      {"fleet", {"ssh", "model", "core"}},
      {"report", {"fleet", "ssh", "model", "core"}},
      {"emulator", {"core"}},
      {"launch", {"storage", "http", "model", "core"}},
      {"cli",
       {"launch", "report", "fleet", "tunnel", "tpu", "emulator", "ssh", "storage", "http", "model", "core"}},
  };
  return drawn;
}

/// Where each third party may be included, by the beginning of its header's name.
const std::map<std::string, Rooms>& third_parties() {
  static const std::map<std::string, Rooms> homes = {
      {"fmt/", {"core"}},      {"spdlog/", {"core"}},
      {"nlohmann/", {"core"}}, {"curl/", {"http"}},
      {"libssh2", {"ssh"}},    {"openssl/", {"ssh", "tpu", "tunnel", "emulator", "launch"}},
      {"asio", {"fleet"}},     {"httplib", {"emulator"}},
      {"CLI/", {"cli"}},       {"sqlite3", {"tpu"}},
      {"yaml-cpp/", {"core"}}, {"zlib.h", {"launch"}},
  };
  return homes;
}

struct Include {
  std::string file;
  std::string room;
  std::string header;
};

void collect(const fs::path& folder, const std::string& room, std::vector<Include>& found) {
  static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (std::regex_search(line, match, pattern)) {
        found.push_back({fs::relative(entry.path(), SLIPWAY_SOURCE_DIR).string(), room, match[1]});
      }
    }
  }
}

std::vector<Include> all_includes() {
  std::vector<Include> found;
  for (const char* root : {"src", "include/slipway"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(SLIPWAY_SOURCE_DIR) / root)) {
      if (entry.is_directory()) collect(entry.path(), entry.path().filename().string(), found);
    }
  }
  return found;
}

/// "fleet" of "slipway/fleet/target.h" and of the private "fleet/engine.h"; empty for what is not ours.
std::string room_of(const std::string& header) {
  const std::string path = header.rfind("slipway/", 0) == 0 ? header.substr(8) : header;
  const std::string first = path.substr(0, path.find('/'));
  return path.find('/') != std::string::npos && arrows().count(first) > 0 ? first : "";
}

TEST(Architecture, EveryFolderIsARoomOfTheDrawing) {
  for (const Include& include : all_includes()) EXPECT_TRUE(arrows().count(include.room)) << include.file;
}

TEST(Architecture, IncludesGoAlongTheArrowsOnly) {
  int checked = 0;
  for (const Include& include : all_includes()) {
    const std::string to = room_of(include.header);
    if (to.empty() || to == include.room) continue;
    ++checked;
    EXPECT_TRUE(arrows().at(include.room).count(to)) << include.file << " includes " << include.header;
  }
  EXPECT_GT(checked, 50) << "the test has lost its subject";
}

TEST(Architecture, APrivateHeaderIsIncludedByItsOwnRoomOnly) {
  for (const Include& include : all_includes()) {
    if (include.header.rfind("slipway/", 0) == 0) continue;
    const std::string to = room_of(include.header);
    if (to.empty()) continue;
    EXPECT_EQ(to, include.room) << include.file << " includes " << include.header;
  }
}

TEST(Architecture, AThirdPartyStaysInItsRoom) {
  std::set<std::string> seen;
  for (const Include& include : all_includes()) {
    for (const auto& [prefix, homes] : third_parties()) {
      if (include.header.rfind(prefix, 0) != 0) continue;
      seen.insert(prefix);
      EXPECT_TRUE(homes.count(include.room)) << include.file << " includes " << include.header;
    }
  }
  EXPECT_GE(seen.size(), 8U) << "the test has lost its subject";
}

TEST(Architecture, TheDrawingHasNoCircle) {
  for (const auto& [room, below] : arrows()) {
    for (const std::string& other : below)
      EXPECT_FALSE(arrows().at(other).count(room)) << room << " and " << other;
  }
}

TEST(Architecture, FilesStayOneIdeaLong) {
  for (const char* root : {"src", "include"}) {
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(SLIPWAY_SOURCE_DIR) / root)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      int lines = 0;
      for (std::string line; std::getline(file, line);) ++lines;
      // The startup script is one file because it travels as one: no worker can include another.
      EXPECT_LE(lines, entry.path().filename() == "startup.sh" ? 1000 : 400) << entry.path();
    }
  }
}

}  // namespace
}  // namespace slipway
