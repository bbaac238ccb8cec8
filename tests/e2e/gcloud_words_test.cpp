// A script moves over from gcloud by replacing the first words: for every create that gcloud was seen to
// send, the same words make the same body.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"

namespace slipway::test {
namespace {

namespace fs = std::filesystem;

/// Where we do not say what gcloud says, on purpose. tests/unit/tpu/wire_captures_test.cpp compares all the
/// rest of them.
const std::map<std::string, const char*> kDeliberatelyDifferent = {
    {"ga_create_reserved.json", "gcloud forgets the zone of the configuration: .../locations/None/..."},
    {"ga_create_reservation_host_folder.json", "the same"},
    {"ga_create_reservation_host_org.json", "the same"},
    {"ga_create_reservation_host_project.json", "the same"},
    {"ga_create_single_all_flags.json", "gcloud sends the short scope storage-rw as it is"},
    {"ga_create_valid_after_and_until.json", "an interval from now on"},
    {"ga_create_billing_project_quota.json",
     "--billing-project is a flag of all of gcloud, and only a header"},
    {"ga_create_token_header_quota.json", "the same"},
    {"alpha_create_reserved.json", "reserved in v2's words"},
    {"alpha_create_guaranteed_reserved.json", "reserved in v2's words"},
    {"alpha_create_network_config.json", "gcloud sends networkConfig beside networkConfigs"},
    {"alpha_create_provisioning_spot.json", "gcloud forgets the spot tier"},
    {"alpha_create_multinode_throughput.json", "gcloud drops the workload type"},
};

struct CreateCapture {
  std::string file;
  std::string words;  ///< behind "gcloud compute tpus queued-resources"
  Json body;
  Json files;
  Json environment;
};

/// gcloud's alpha track always says these two defaults, and speaks v2alpha1 where v2 would do.
Json without_alphas_defaults(Json body) {
  if (string_member(body, "provisioningModel") == "STANDARD") body.erase("provisioningModel");
  Json& spec = body["tpu"]["nodeSpec"][0];
  if (spec["node"].value("autocheckpointEnabled", true) == false) spec["node"].erase("autocheckpointEnabled");
  return body;
}

/// A body as it would be in v2: the block for many slices has another name there.
nlohmann::json comparable(const Json& body) {
  nlohmann::json sorted = nlohmann::json::parse(dump_json(body));
  nlohmann::json& spec = sorted["tpu"]["nodeSpec"][0];
  if (spec.contains("multiNodeParams")) {
    spec["multisliceParams"] = spec["multiNodeParams"];
    spec.erase("multiNodeParams");
  }
  return sorted;
}

std::vector<CreateCapture> create_captures() {
  std::vector<CreateCapture> found;
  const std::string group = "compute tpus queued-resources ";
  for (const fs::directory_entry& entry : fs::directory_iterator(SLIPWAY_SOURCE_DIR "/tests/golden/wire")) {
    const Json capture = *parse_json(read_file(entry.path()).value());
    const std::string command = string_member(capture, "command");
    const std::size_t words = command.find(group + "create ");
    const std::string file = entry.path().filename();
    const bool works = file.rfind("ga_", 0) == 0 || file.rfind("alpha_", 0) == 0;
    if (!works || words == std::string::npos || capture["requests"].empty()) continue;
    if (kDeliberatelyDifferent.count(file) > 0) continue;
    found.push_back({file, command.substr(words + group.size()),
                     without_alphas_defaults(capture["requests"][0]["body"]), capture["files"],
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
    ASSERT_EQ(shown.code, 0) << shown.err;
    const std::size_t second_line = shown.out.find('\n') + 1;
    const Result<Json> body = parse_json(shown.out.substr(second_line));
    ASSERT_TRUE(body.ok()) << shown.out;
    // Order is no part of JSON, and nlohmann's ordered objects compare it: so compare them sorted.
    EXPECT_EQ(comparable(*body), comparable(capture.body));
    ++compared;
  }
  RecordProperty("compared", compared);
  EXPECT_GE(compared, 36) << "the test has lost its subject";
}

}  // namespace
}  // namespace slipway::test
