#include "emulator/create_request.h"

#include <gtest/gtest.h>

namespace slipway::emulator {
namespace {

constexpr const char* kLocation = "projects/p/locations/z";

Json valid() {
  return *parse_json(R"({"tpu": {"nodeSpec": [{"parent": "projects/p/locations/z", "nodeId": "n",
                          "node": {"acceleratorType": "v4-16", "runtimeVersion": "tpu-ubuntu2204-base"}}]}})");
}

Json many(const char* block, int count) {
  Json body = valid();
  Json& spec = body["tpu"]["nodeSpec"][0];
  spec.erase("nodeId");
  spec[block] = Json{{"nodeCount", count}};
  return body;
}

/// The error's message; empty when the request is good.
std::string check_text(const std::string& body, ApiVersion version = ApiVersion::kV2,
                       CreateRequest* out = nullptr) {
  CreateRequest create;
  const auto error =
      read_create({"POST", "/x", {{"queuedResourceId", "q"}}, "", "", body}, version, kLocation, create);
  if (out != nullptr) *out = create;
  return error ? error->message : "";
}
std::string check(const Json& body, ApiVersion version = ApiVersion::kV2, CreateRequest* out = nullptr) {
  return check_text(dump_json(body), version, out);
}

TEST(CreateRequest, OfOneSlice) {
  CreateRequest create;
  EXPECT_EQ(check(valid(), ApiVersion::kV2, &create), "");
  EXPECT_EQ(create.node_ids, std::vector<std::string>{"n"});
  EXPECT_EQ(create.accelerator.workers, 2);
  EXPECT_FALSE(create.multislice);
}

TEST(CreateRequest, OfManySlicesNamesThemAfterThePrefixOrTheResource) {
  CreateRequest create;
  EXPECT_EQ(check(many("multisliceParams", 3), ApiVersion::kV2, &create), "");
  EXPECT_EQ(create.node_ids, (std::vector<std::string>{"q-0", "q-1", "q-2"}));
  Json body = many("multisliceParams", 2);
  body["tpu"]["nodeSpec"][0]["multisliceParams"]["nodeIdPrefix"] = "np";
  EXPECT_EQ(check(body, ApiVersion::kV2, &create), "");
  EXPECT_EQ(create.node_ids, (std::vector<std::string>{"np-0", "np-1"}));
}

TEST(CreateRequest, EachVersionHasItsOwnBlockForManySlices) {
  EXPECT_EQ(check(many("multiNodeParams", 2), ApiVersion::kV2Alpha1), "");
  EXPECT_NE(check(many("multiNodeParams", 2), ApiVersion::kV2), "");
  EXPECT_NE(check(many("multisliceParams", 2), ApiVersion::kV2Alpha1), "");
}

TEST(CreateRequest, FieldsOfTheOtherVersionAreUnknown) {
  for (const char* field : {"bestEffort", "trafficConfig"}) {
    Json body = valid();
    body[field] = Json::object();
    EXPECT_EQ(check(body, ApiVersion::kV2Alpha1), "") << field;
    EXPECT_NE(check(body, ApiVersion::kV2).find(field), std::string::npos) << field;
  }
  Json reserved = valid();
  reserved["guaranteed"] = Json{{"reserved", true}};
  EXPECT_EQ(check(reserved, ApiVersion::kV2Alpha1), "");
  EXPECT_NE(check(reserved, ApiVersion::kV2), "");
}

TEST(CreateRequest, UnknownFieldsAreNamedWithTheirPlace) {
  Json body = valid();
  body["tpu"]["nodeSpec"][0]["node"]["acceleratorTyp"] = "v4-16";
  const std::string error = check(body);
  EXPECT_NE(error.find("acceleratorTyp"), std::string::npos);
  EXPECT_NE(error.find("tpu.nodeSpec[0].node"), std::string::npos) << error;
}

TEST(CreateRequest, SnakeCaseIsUnderstood) {
  CreateRequest create;
  EXPECT_EQ(check_text(R"({"tpu": {"node_spec": [{"parent": "projects/p/locations/z", "node_id": "n",
                      "node": {"accelerator_type": "v4-8", "runtime_version": "tpu-ubuntu2204-base"}}]}})",
                       ApiVersion::kV2, &create),
            "");
  EXPECT_EQ(create.body["tpu"]["nodeSpec"][0]["node"]["acceleratorType"], "v4-8");
}

TEST(CreateRequest, OutputFieldsAreIgnored) {
  Json body = valid();
  body["state"] = Json{{"state", "ACTIVE"}};
  CreateRequest create;
  EXPECT_EQ(check(body, ApiVersion::kV2, &create), "");
  EXPECT_FALSE(create.body.contains("state"));
}

TEST(CreateRequest, NeedsExactlyOneOfNodeIdAndTheBlock) {
  Json both = many("multisliceParams", 2);
  both["tpu"]["nodeSpec"][0]["nodeId"] = "n";
  EXPECT_NE(check(both), "");
  Json none = valid();
  none["tpu"]["nodeSpec"][0].erase("nodeId");
  EXPECT_NE(check(none), "");
}

TEST(CreateRequest, OfManySlicesNeedsTwo) {
  EXPECT_NE(check(many("multisliceParams", 1)), "");
  EXPECT_NE(check(many("multisliceParams", -3)), "");
}

TEST(CreateRequest, OfManySlicesNeedsV4OrNewer) {
  Json body = many("multisliceParams", 2);
  body["tpu"]["nodeSpec"][0]["node"]["acceleratorType"] = "v3-32";
  EXPECT_NE(check(body), "");
}

TEST(CreateRequest, RefusesWhatTheLoopbackNetworkCannotAddress) {
  CreateRequest create;
  const ApiRequest slices{"POST", "/x", {{"queuedResourceId", "q"}},
                          "",     "",   dump_json(many("multisliceParams", 255))};
  const auto error = read_create(slices, ApiVersion::kV2, kLocation, create);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->status, Status::kResourceExhausted);
  EXPECT_EQ(error->details[0]["@type"], "type.googleapis.com/google.rpc.QuotaFailure")
      << "a client must not try again";
  Json large = valid();
  large["tpu"]["nodeSpec"][0]["node"]["acceleratorType"] = "v4-4096";
  EXPECT_NE(check(large).find("512 workers"), std::string::npos);
}

TEST(CreateRequest, RefusesBadValues) {
  const std::vector<std::pair<const char*, Json>> bad = {{"acceleratorType", "v4-12"},
                                                         {"runtimeVersion", "x"},
                                                         {"acceleratorType", 4},
                                                         {"metadata", Json{{"k", 1}}},
                                                         {"tags", "t"},
                                                         {"networkConfig", Json::array()},
                                                         {"runtimeVersion", nullptr},
                                                         {"labels", Json::array({"a"})},
                                                         {"dataDisks", Json::object()},
                                                         {"description", true},
                                                         {"acceleratorType", nullptr}};
  for (const auto& [field, value] : bad) {
    Json body = valid();
    body["tpu"]["nodeSpec"][0]["node"][field] = value;
    EXPECT_NE(check(body), "") << field << " " << value;
  }
}

TEST(CreateRequest, RefusesFieldsThatExcludeEachOther) {
  Json tiers = valid();
  tiers["spot"] = Json::object();
  tiers["guaranteed"] = Json::object();
  EXPECT_NE(check(tiers), "");
  Json networks = valid();
  networks["tpu"]["nodeSpec"][0]["node"]["networkConfig"] = Json::object();
  networks["tpu"]["nodeSpec"][0]["node"]["networkConfigs"] = Json::array();
  EXPECT_NE(check(networks), "");
}

TEST(CreateRequest, RefusesTimesThatMeanNothing) {
  for (const char* policy : {R"({"validUntilDuration": "60"})", R"({"validUntilDuration": "-60s"})",
                             R"({"validUntilTime": "tomorrow"})", R"({"validAfterTime": 5})",
                             R"({"validInterval": {"startTime": "2026-12-01T00:00:00Z"}})",
                             R"({"validInterval": {"startTime": "2026-12-02T00:00:00Z",
                                                   "endTime": "2026-12-01T00:00:00Z"}})",
                             R"({"validUntilDuration": "60s", "validAfterDuration": "6s"})"}) {
    Json body = valid();
    body["queueingPolicy"] = *parse_json(policy);
    EXPECT_NE(check(body), "") << policy;
  }
  for (const char* run : {R"({})", R"({"maxRunDuration": "0s"})", R"({"maxRunDuration": "1h"})",
                          R"({"maxRunDuration": "60s", "terminationTime": "2026-12-01T00:00:00Z"})"}) {
    Json body = valid();
    body["runDuration"] = *parse_json(run);
    EXPECT_NE(check(body, ApiVersion::kV2Alpha1), "") << run;
  }
  Json flexible = valid();
  flexible["provisioningModel"] = "FLEX_START";
  EXPECT_NE(check(flexible, ApiVersion::kV2Alpha1), "") << "it needs a run time";
  flexible["runDuration"] = Json{{"maxRunDuration", "14400s"}};
  EXPECT_EQ(check(flexible, ApiVersion::kV2Alpha1), "");
}

TEST(CreateRequest, EnumsAreThoseOfItsVersion) {
  Json body = valid();
  body["provisioningModel"] = "CHEAP";
  EXPECT_NE(check(body, ApiVersion::kV2Alpha1), "");
  Json config = valid();
  Json& node = config["tpu"]["nodeSpec"][0]["node"];
  node.erase("acceleratorType");
  node["acceleratorConfig"] = Json{{"type", "TPU7X"}, {"topology", "2x2x1"}};
  EXPECT_NE(check(config, ApiVersion::kV2).find("Invalid value"), std::string::npos);
  EXPECT_NE(check(config, ApiVersion::kV2Alpha1).find("not offered"), std::string::npos)
      << "a word, but not here";
}

TEST(CreateRequest, IntegersHaveTheirRangeAndTravelAsNumbersOrText) {
  for (const char* count : {"\"2\"", "2"}) {
    Json body = valid();
    body["tpu"]["nodeSpec"][0].erase("nodeId");
    body["tpu"]["nodeSpec"][0]["multisliceParams"] = Json{{"nodeCount", *parse_json(count)}};
    EXPECT_EQ(check(body), "") << count;
  }
  for (const char* count : {"2.5", "\"two\"", "4294967298", "\"99999999999999999999\"", "true"}) {
    Json body = valid();
    body["tpu"]["nodeSpec"][0].erase("nodeId");
    body["tpu"]["nodeSpec"][0]["multisliceParams"] = Json{{"nodeCount", *parse_json(count)}};
    EXPECT_NE(check(body), "") << count;
  }
}

TEST(CreateRequest, ReadsATrafficMatrixInV2Alpha1) {
  Json body = valid();
  body["trafficConfig"] = *parse_json(
      R"({"anticipatedTrafficMatrix": {"sliceToSliceAdjacencyList": {"srcTraffic": [
           {"sliceCoord": 0, "dstTraffic": [{"sliceCoord": 1, "traffic": {"peakTraffic": {"peakTrafficGbps": 2.5}}}]}]}}})");
  EXPECT_EQ(check(body, ApiVersion::kV2Alpha1), "");
  EXPECT_NE(check(body, ApiVersion::kV2), "");
  body["trafficConfig"]["anticipatedTrafficMatrix"]["sliceToSliceAdjacencyList"]["srcTraffic"][0]["slice"] =
      1;
  EXPECT_NE(check(body, ApiVersion::kV2Alpha1).find("srcTraffic[0]"), std::string::npos);
}

TEST(CreateRequest, AReservationIsOneOfTheZone) {
  const auto with = [](const std::string& name) {
    Json body = valid();
    body["reservationName"] = name;
    return check(body);
  };
  EXPECT_EQ(with("projects/p/locations/z/reservations/-"), "");
  EXPECT_EQ(with("organizations/7/locations/z/reservations/mine"), "");
  for (const char* name :
       {"mine", "projects/p/locations/None/reservations/-", "zones/p/locations/z/reservations/-",
        "projects//locations/z/reservations/-", "projects/p/locations/z/reservations/"}) {
    EXPECT_NE(with(name), "") << name;
  }
}

TEST(CreateRequest, TakesAShapeByTypeAndTopology) {
  Json body = valid();
  Json& node = body["tpu"]["nodeSpec"][0]["node"];
  node.erase("acceleratorType");
  node["acceleratorConfig"] = Json{{"type", "V4"}, {"topology", "2x2x4"}};
  CreateRequest create;
  EXPECT_EQ(check(body, ApiVersion::kV2, &create), "");
  EXPECT_EQ(create.accelerator.name, "v4-32");
  node["acceleratorType"] = "v4-32";
  EXPECT_NE(check(body), "");
}

TEST(CreateRequest, NeedsTheParentOfItsPath) {
  Json body = valid();
  body["tpu"]["nodeSpec"][0]["parent"] = "projects/other/locations/z";
  EXPECT_NE(check(body), "");
}

TEST(CreateRequest, RefusesWhatIsNoObject) {
  for (const char* body : {"", "{}", "[]", "null", "3", "{", "{\"tpu\": {\"nodeSpec\": []}}", "{\"tpu\": 1}"})
    EXPECT_NE(check_text(body), "") << body;
}

TEST(CreateRequest, RefusesMetadataLongerThanTheApiTakes) {
  Json body = valid();
  body["tpu"]["nodeSpec"][0]["node"]["metadata"] =
      Json{{"startup-script", std::string((256 << 10) + 1, 'x')}};
  EXPECT_NE(check(body), "");
}

}  // namespace
}  // namespace slipway::emulator
