// Bodies that people write by hand.
#include <gtest/gtest.h>

#include "slipway/core/json.h"
#include "slipway/tpu/call.h"

namespace slipway::tpu {
namespace {

Result<CreateBody> read(const std::string& text, std::optional<ApiVersion> version = {}) {
  return read_create_body(text, {"p", "z"}, version);
}

std::string refusal(const std::string& text, std::optional<ApiVersion> version = {}) {
  const auto body = read(text, version);
  if (body.ok()) return "taken";
  EXPECT_EQ(body.error().code(), ErrorCode::kUsage);
  return body.error().message() + (body.error().why().empty() ? "" : " / " + body.error().why());
}

TEST(RequestFile, SnakeCaseBecomesCamelCaseButTheUsersOwnKeysStay) {
  const auto body = read(R"({"tpu":{"node_spec":[{"node_id":"n","node":{"accelerator_type":"v4-8",
      "runtime_version":"r","labels":{"my_team":"a_b"},"metadata":{"startup_script_x":"1"}}}]}})");
  ASSERT_TRUE(body.ok()) << body.error().message();
  EXPECT_EQ(body->version, ApiVersion::kV2);
  EXPECT_EQ(
      body->json,
      R"({"tpu":{"nodeSpec":[{"nodeId":"n","node":{"acceleratorType":"v4-8","runtimeVersion":"r",)"
      R"("labels":{"my_team":"a_b"},"metadata":{"startup_script_x":"1"}},"parent":"projects/p/locations/z"}]}})");
}

TEST(RequestFile, TheFieldsChooseTheVersion) {
  EXPECT_EQ(read(R"({"bestEffort":{},"tpu":{"nodeSpec":[{}]}})")->version, ApiVersion::kV2Alpha1);
  EXPECT_EQ(read(R"({"tpu":{"nodeSpec":[{"multiNodeParams":{"nodeCount":2}}]}})")->version,
            ApiVersion::kV2Alpha1);
  EXPECT_EQ(read(R"({"tpu":{"nodeSpec":[{"multisliceParams":{"nodeCount":2}}]}})")->version, ApiVersion::kV2);
  EXPECT_EQ(read(R"({"tpu":{"nodeSpec":[{}]}})", ApiVersion::kV2Alpha1)->version, ApiVersion::kV2Alpha1);
}

TEST(RequestFile, AFieldOfTheOtherVersionIsRefusedByItsPath) {
  EXPECT_EQ(refusal(R"({"bestEffort":{},"tpu":{"nodeSpec":[{}]}})", ApiVersion::kV2),
            "bestEffort: v2 does not have it, v2alpha1 does");
  EXPECT_EQ(
      refusal(R"({"bestEffort":{},"tpu":{"nodeSpec":[{"multisliceParams":{"nodeCount":2}}]}})"),
      "bestEffort: only v2alpha1 has it / and only v2 has tpu.nodeSpec[0].multisliceParams; v2alpha1 says "
      "multiNodeParams for multisliceParams");
}

TEST(RequestFile, AnUnknownFieldIsRefusedWithItsPathAndTheNearestName) {
  EXPECT_EQ(refusal(R"({"tpu":{"nodeSpec":[{"node":{"aceleratorType":"v4-8"}}]}})"),
            "tpu.nodeSpec[0].node.aceleratorType: Node has no such field / did you mean 'acceleratorType'?");
}

TEST(RequestFile, AWrongKindIsRefused) {
  EXPECT_EQ(refusal(R"({"tpu":{"nodeSpec":{}}})"), "tpu.nodeSpec: it has to be a list of objects");
  EXPECT_EQ(refusal(R"({"tpu":{"nodeSpec":[{"node":{"tags":"x"}}]}})"),
            "tpu.nodeSpec[0].node.tags: it has to be a list of strings");
  EXPECT_EQ(refusal(R"({"spot":true,"tpu":{"nodeSpec":[{}]}})"), "spot: it has to be an object");
  EXPECT_EQ(refusal(R"({"node_spec":1,"tpu":{"nodeSpec":[{}],"node_spec":[{}]}})").substr(0, 9), "node_spec");
  EXPECT_EQ(refusal(R"({"tpu":{"nodeSpec":[{}],"node_spec":[{}]}})"),
            "tpu.node_spec: it is given twice, in both spellings");
}

TEST(RequestFile, WhatOnlyTheApiSetsIsLeftOut) {
  const auto body = read(R"({"name":"projects/p/locations/z/queuedResources/q","state":{"state":"ACTIVE"},
      "createTime":"2026-11-20T08:00:00Z","tpu":{"nodeSpec":[{"parent":"projects/p/locations/z","nodeId":"n"}]}})");
  ASSERT_TRUE(body.ok()) << body.error().message();
  EXPECT_EQ(body->json, R"({"tpu":{"nodeSpec":[{"parent":"projects/p/locations/z","nodeId":"n"}]}})");
}

TEST(RequestFile, WhatIsNoRequestIsRefused) {
  EXPECT_EQ(refusal("{").substr(0, 13), "it is no JSON");
  EXPECT_EQ(refusal("[]"), "it is no JSON object, but has to be one");
  EXPECT_EQ(refusal("{}"), "tpu.nodeSpec: it has to have an entry");
  EXPECT_EQ(refusal(R"({"tpu":{"nodeSpec":[]}})"), "tpu.nodeSpec: it has to have an entry");
}

}  // namespace
}  // namespace slipway::tpu
