#include "tpu/wire.h"

#include <gtest/gtest.h>

#include "slipway/core/json.h"
#include "support/fake_transport.h"

namespace slipway::tpu::wire {
namespace {

http::Response body(const std::string& text) { return test::answer(200, text).response.value(); }

constexpr const char* kResource = R"({
  "name": "projects/123/locations/z/queuedResources/q",
  "createTime": "2026-11-19T10:00:00.123456Z",
  "tpu": {"nodeSpec": [{"parent": "projects/123/locations/z", "multisliceParams": {"nodeCount": 3, "nodeIdPrefix": "s"},
    "node": {"acceleratorType": "v4-16", "runtimeVersion": "r", "somethingNew": {"a": [1]}}}]},
  "spot": {}, "reservationName": "projects/p/locations/z/reservations/-",
  "state": {"state": "FAILED", "stateInitiator": "SERVICE", "failedData": {"error": {"code": 8, "message": "no capacity"}}}
})";

TEST(Wire, AQueuedResourceIsReadWithAllThatTheApiSays) {
  const auto resource = decode_queued_resource(body(kResource));
  ASSERT_TRUE(resource.ok()) << resource.error().why();
  EXPECT_EQ(resource->name.path(), "projects/123/locations/z/queuedResources/q");
  EXPECT_EQ(resource->state, QueuedResourceState::kFailed);
  EXPECT_EQ(resource->state_initiator, "SERVICE");
  EXPECT_EQ(resource->failure->code, 8);
  EXPECT_EQ(resource->failure->message, "no capacity");
  EXPECT_EQ(resource->tier, Tier::kSpot);
  EXPECT_EQ(resource->reservation, "projects/p/locations/z/reservations/-");
  EXPECT_EQ(resource->slice_names(), (std::vector<std::string>{"s-0", "s-1", "s-2"}));
  EXPECT_EQ(resource->node_specs[0].accelerator_type, "v4-16");
  EXPECT_EQ(resource->document, kResource);
}

TEST(Wire, TheAlphaVersionsNameForManySlicesIsReadToo) {
  const auto resource = decode_queued_resource(body(
      R"({"name":"projects/p/locations/z/queuedResources/q","bestEffort":{},"tpu":{"nodeSpec":[{"multiNodeParams":{"nodeCount":2}}]}})"));
  ASSERT_TRUE(resource.ok());
  EXPECT_EQ(resource->slice_names(), (std::vector<std::string>{"q-0", "q-1"}));
  EXPECT_EQ(resource->tier, Tier::kBestEffort);
}

TEST(Wire, AnUnknownStateIsKeptAsItCame) {
  const auto resource = decode_queued_resource(
      body(R"({"name":"projects/p/locations/z/queuedResources/q","state":{"state":"HIBERNATING"}})"));
  ASSERT_TRUE(resource.ok());
  EXPECT_EQ(resource->state, QueuedResourceState::kOther);
  EXPECT_EQ(resource->state_text, "HIBERNATING");
}

TEST(Wire, NullIsTheSameAsMissing) {
  const auto resource = decode_queued_resource(body(
      R"({"name":"projects/p/locations/z/queuedResources/q","tpu":null,"state":null,"spot":null,"createTime":null})"));
  ASSERT_TRUE(resource.ok()) << resource.error().why();
  EXPECT_EQ(resource->tier, Tier::kOnDemand);
  EXPECT_TRUE(resource->node_specs.empty());
}

TEST(Wire, AWrongShapeIsAnErrorThatNamesThePlace) {
  const struct {
    const char* text;
    const char* place;
  } cases[] = {
      {R"({"name":"projects/p/locations/z/queuedResources/q","tpu":{"nodeSpec":[{},{"nodeId":["x"]}]}})",
       "tpu.nodeSpec[1].nodeId"},
      {R"({"name":"projects/p/locations/z/queuedResources/q","tpu":{"nodeSpec":{}}})", "tpu.nodeSpec"},
      {R"({"name":"projects/p/locations/z/queuedResources/q","state":"ACTIVE"})", "state"},
      {R"({"name":"projects/p/locations/z/queuedResources/q","tpu":{"nodeSpec":[{"multisliceParams":{"nodeCount":"many"}}]}})",
       "nodeCount"},
      {R"({"name":"q"})", "name"},
      {R"({"name":"projects/p/locations/z/nodes/q"})", "name"},
      {R"({})", "name is missing"},
      {R"([])", "the answer is array"},
      {R"("ok")", "the answer is string"},
  };
  for (const auto& one : cases) {
    const auto resource = decode_queued_resource(body(one.text));
    ASSERT_FALSE(resource.ok()) << one.text;
    EXPECT_EQ(resource.error().code(), ErrorCode::kFailed);
    EXPECT_NE(resource.error().why().find(one.place), std::string::npos) << resource.error().why();
  }
}

TEST(Wire, WhatACaptivePortalSaysIsNotAnAnswer) {
  const auto resource = decode_queued_resource(
      body("<html>\x1b]0;title\x07Please sign in to the Wifi " + std::string(500, 'x')));
  ASSERT_FALSE(resource.ok());
  EXPECT_EQ(resource.error().message(), "not an answer of a Google API");
  EXPECT_NE(resource.error().why().find("Please sign in"), std::string::npos);
  EXPECT_EQ(resource.error().why().find('\x1b'), std::string::npos);
  EXPECT_LT(resource.error().why().size(), 400u);
}

TEST(Wire, NoDocumentCanCrashTheDecoder) {
  for (const std::string& text :
       {std::string(100'000, '['), std::string(), std::string("null"), std::string("{\"a\":1,\"a\":2}"),
        std::string("{\"name\":\"\xff\xfe\"}"), std::string("{\"name\":1e999}")}) {
    EXPECT_FALSE(decode_queued_resource(body(text)).ok());
  }
}

TEST(Wire, APageKeepsEachDocumentWithNothingDropped) {
  const auto page = decode_page(body(
      R"({"queuedResources":[{"name":"projects/p/locations/z/queuedResources/a","future":{"x":"12345678901234567890"}}],"nextPageToken":"t","unreachable":["z2"]})"));
  ASSERT_TRUE(page.ok()) << page.error().why();
  EXPECT_EQ(page->next_page_token, "t");
  EXPECT_EQ(page->unreachable, std::vector<std::string>{"z2"});
  EXPECT_EQ(dump_json(parse_json(page->resources[0].document).value()),
            R"({"name":"projects/p/locations/z/queuedResources/a","future":{"x":"12345678901234567890"}})");
}

TEST(Wire, AnEmptyPageIsAnEmptyList) {
  EXPECT_TRUE(decode_page(body("{}"))->resources.empty());
  EXPECT_FALSE(decode_page(body("")).ok());
}

TEST(Wire, ANodeIsReadWithOneEndpointAWorker) {
  const auto node = decode_node(
      body(R"({"name":"projects/p/locations/z/nodes/s-0","id":"9000000000000000001","state":"READY",
    "health":"HEALTHY","metadata":{"ssh-keys":"u:ssh-ed25519 AAAA u"},"queuedResource":"projects/1/locations/z/queuedResources/q",
    "networkEndpoints":[{"ipAddress":"10.0.0.2","port":8470,"accessConfig":{"externalIp":"34.0.0.2"}},{"ipAddress":"10.0.0.3"}]})"));
  ASSERT_TRUE(node.ok()) << node.error().why();
  EXPECT_EQ(node->id, "9000000000000000001");
  EXPECT_TRUE(node->ready());
  ASSERT_EQ(node->endpoints.size(), 2u);
  EXPECT_EQ(node->endpoints[0].external_address, "34.0.0.2");
  EXPECT_EQ(node->endpoints[1].address, "10.0.0.3");
  EXPECT_EQ(node->endpoints[1].external_address, "");
  EXPECT_EQ(node->metadata.at("ssh-keys"), "u:ssh-ed25519 AAAA u");
}

TEST(Wire, OfANodeInSeveralNetworksOnlyTheFirstCardOfEachWorkerCounts) {
  const auto node = decode_node(
      body(R"({"name":"projects/p/locations/z/nodes/n","networkConfigs":[{},{}],"networkEndpoints":[
    {"ipAddress":"10.0.0.1"},{"ipAddress":"10.1.0.1"},{"ipAddress":"10.0.0.2"},{"ipAddress":"10.1.0.2"}]})"));
  ASSERT_EQ(node->endpoints.size(), 2u);
  EXPECT_EQ(node->endpoints[1].address, "10.0.0.2");
}

TEST(Wire, AnIdThatTravelsAsANumberKeepsAllItsDigits) {
  EXPECT_EQ(decode_node(body(R"({"name":"projects/p/locations/z/nodes/n","id":9007199254740993})"))->id,
            "9007199254740993");
}

TEST(Wire, GuestAttributesGiveEachWorkersKeysInWorkerOrder) {
  const auto workers = decode_guest_attributes(body(R"({"guestAttributes":[
    {"queryPath":"","queryValue":{"items":[{"namespace":"hostkeys","key":"ssh-ed25519","value":"AAAA1"},
      {"namespace":"hostkeys","key":"ecdsa-sha2-nistp256","value":" AAAA2\n"},{"namespace":"guest-inventory","key":"hostname","value":"w-0"},
      {"namespace":"evil","key":"ssh-rsa","value":"AAAA3"}]}},
    {}, {"queryValue":{"items":[{"namespace":"hostkeys","key":"ssh-ed25519","value":"AAAA4"}]}}]})"));
  ASSERT_TRUE(workers.ok()) << workers.error().why();
  ASSERT_EQ(workers->size(), 3u);
  ASSERT_EQ((*workers)[0].host_keys.size(), 2u);
  EXPECT_EQ((*workers)[0].host_keys[1].base64, "AAAA2");
  EXPECT_EQ((*workers)[0].hostname, "w-0");
  EXPECT_TRUE((*workers)[1].host_keys.empty());
  EXPECT_EQ((*workers)[2].host_keys[0].base64, "AAAA4");
}

TEST(Wire, AnOperationsErrorCountsOnlyWhenItIsDone) {
  const auto done = decode_operation(body(
      R"({"name":"projects/p/locations/z/operations/o","done":true,"metadata":{"target":"projects/p/locations/z/queuedResources/q","verb":"create"},"error":{"code":8,"message":"m"}})"));
  EXPECT_TRUE(done->done);
  EXPECT_EQ(done->error->code, 8);
  EXPECT_EQ(done->target, "projects/p/locations/z/queuedResources/q");
  const auto running = decode_operation(body(R"({"name":"projects/p/locations/z/operations/o","error":{}})"));
  EXPECT_FALSE(running->done);
  EXPECT_FALSE(running->error.has_value());
}

}  // namespace
}  // namespace slipway::tpu::wire
