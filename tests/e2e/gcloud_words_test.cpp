// A script moves over from gcloud by replacing the first words: for every create that gcloud was seen to
// send, with flags that we have, the same words make the same body.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"

namespace slipway::test {
namespace {

namespace fs = std::filesystem;

/// Where we do not say what gcloud says, on purpose.
const std::set<std::string> kDeliberatelyDifferent = {
    "ga_create_reserved.json",  // gcloud forgets the zone of the configuration: .../locations/None/...
};

struct CreateCapture {
  std::string file;
  std::string words;  ///< behind "gcloud compute tpus queued-resources"
  Json body;
  Json files;
  Json environment;
};

std::vector<CreateCapture> create_captures() {
  std::vector<CreateCapture> found;
  const std::string begin = "gcloud compute tpus queued-resources create ";
  for (const fs::directory_entry& entry : fs::directory_iterator(SLIPWAY_SOURCE_DIR "/tests/golden/wire")) {
    const Json capture = *parse_json(read_file(entry.path()).value());
    const std::string command = string_member(capture, "command");
    if (command.rfind(begin, 0) != 0 || capture["requests"].empty()) continue;
    const std::string file = entry.path().filename();
    if (file.rfind("ga_", 0) != 0 || kDeliberatelyDifferent.count(file) > 0) continue;
    found.push_back({file, command.substr(begin.size() - 7), capture["requests"][0]["body"], capture["files"],
                     capture["env"]});
  }
  return found;
}

TEST(GcloudsWords, MakeTheSameBody) {
  int compared = 0;
  for (const CreateCapture& capture : create_captures()) {
    SCOPED_TRACE(capture.file + ": " + capture.words);
    SlipwayUser user;
    for (const auto& [name, value] : capture.environment.items())
      user.environment[name] = value.get<std::string>();
    for (const auto& [name, content] : capture.files.items()) {
      ASSERT_TRUE(write_file_atomically(user.home() / name, content.get<std::string>()).ok());
    }
    const Ended shown = user.shell("cd \"$HOME\" && slipway " + capture.words + " --dry-run");
    if (shown.code == 2 && shown.err.find("there is no flag") != std::string::npos)
      continue;  // a flag that is to come
    ASSERT_EQ(shown.code, 0) << shown.err;
    const std::size_t second_line = shown.out.find('\n') + 1;
    const Result<Json> body = parse_json(shown.out.substr(second_line));
    ASSERT_TRUE(body.ok()) << shown.out;
    // Order is no part of JSON, and nlohmann's ordered objects compare it: so compare them sorted.
    EXPECT_EQ(nlohmann::json::parse(dump_json(*body)), nlohmann::json::parse(dump_json(capture.body)));
    ++compared;
  }
  EXPECT_GE(compared, 12) << "the test has lost its subject";
}

}  // namespace
}  // namespace slipway::test
