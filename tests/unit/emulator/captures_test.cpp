// What the real gcloud sends, as it was captured, against the emulator's schema.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "emulator/create_request.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

// Captured bodies that no API should take, and what of them is wrong.
const std::map<std::string, std::string> kRefused = {
    {"alpha_create_network_config.json", "Only one of networkConfig, networkConfigs"},
    {"ga_create_reserved.json", "names no reservation"},                       // locations/None
    {"ga_create_reservation_host_project.json", "names no reservation"},       // the same
    {"ga_create_reservation_host_folder.json", "names no reservation"},        // the same
    {"ga_create_reservation_host_org.json", "names no reservation"},           // the same
    {"create_poll_then_result_get.json", "Runtime version x is not offered"},  // made up for the capture
};

struct Captured {
  std::string name;
  ApiRequest request;
};

std::vector<Captured> captured_creates() {
  std::vector<Captured> creates;
  for (const auto& entry : std::filesystem::directory_iterator(SLIPWAY_SOURCE_DIR "/tests/golden/wire")) {
    const Json capture = *parse_json(*read_file(entry.path().string()));
    for (const Json& sent : capture.value("requests", Json::array())) {
      const std::string path = string_member(sent, "path");
      const bool creates_one = sent["method"] == "POST" && path.find("/queuedResources") == path.rfind('/');
      if (!creates_one) continue;
      ApiRequest request;
      request.method = "POST";
      request.path = path;
      for (const auto& [name, value] : sent["query"].items())
        request.query.emplace(name, value.get<std::string>());
      request.body = dump_json(sent["body"]);
      creates.push_back({entry.path().filename().string(), std::move(request)});
    }
  }
  return creates;
}

TEST(Captures, EveryCreateOfGcloudIsUnderstood) {
  std::size_t accepted = 0;
  for (const Captured& one : captured_creates()) {
    const auto route = parse_route(one.request.path);
    ASSERT_TRUE(route) << one.name;
    CreateRequest create;
    const std::string location = "projects/" + route->project + "/locations/" + route->location;
    const auto error = read_create(one.request, route->version, location, create);
    const auto refused = kRefused.find(one.name);
    if (refused == kRefused.end()) {
      EXPECT_FALSE(error) << one.name << ": " << (error ? error->message : "");
      accepted += error ? 0 : 1;
    } else {
      EXPECT_TRUE(error && error->message.find(refused->second) != std::string::npos)
          << one.name << ": " << (error ? error->message : "it was accepted");
    }
  }
  EXPECT_GE(accepted, 55U);
  RecordProperty("accepted", static_cast<int>(accepted));
}

TEST(Captures, WhatWasAskedForIsGivenBack) {
  for (const Captured& one : captured_creates()) {
    const auto route = parse_route(one.request.path);
    CreateRequest create;
    const std::string location = "projects/" + route->project + "/locations/" + route->location;
    if (read_create(one.request, route->version, location, create)) continue;
    Json asked = *parse_json(one.request.body);
    Json& spec = asked["tpu"]["nodeSpec"][0];
    if (spec.contains("multiNodeParams")) {
      spec["multisliceParams"] = spec["multiNodeParams"];  // kept under one name
      spec.erase("multiNodeParams");
    }
    EXPECT_EQ(nlohmann::json(create.body), nlohmann::json(asked)) << one.name;
  }
}

}  // namespace
}  // namespace slipway::emulator
