#include "emulator/service.h"

#include <gtest/gtest.h>

#include <map>

#include "unit/emulator/fake_host.h"

namespace slipway::emulator {
namespace {

constexpr const char* kBase = "/v2/projects/p/locations/z/";
constexpr const char* kBody = R"({"tpu": {"nodeSpec": [{"parent": "projects/p/locations/z", "nodeId": "n",
    "node": {"acceleratorType": "v4-16", "runtimeVersion": "tpu-ubuntu2204-base"}}]}})";

class ServiceTest : public testing::Test {
 protected:
  Answer ask(const std::string& method, const std::string& path,
             std::multimap<std::string, std::string> query = {}, const std::string& body = "") {
    return service.handle({method, path.front() == '/' ? path : kBase + path, std::move(query), "127.0.0.1:1",
                           "Bearer secret", body});
  }
  Answer create(const std::string& id, const std::string& request_id = "", const std::string& body = kBody) {
    std::multimap<std::string, std::string> query = {{"queuedResourceId", id}};
    if (!request_id.empty()) query.emplace("requestId", request_id);
    return ask("POST", "queuedResources", query, body);
  }
  void make_active() {
    ASSERT_EQ(create("q").status, 200);
    for (int i = 0; i < 4; ++i) {
      clock.move(std::chrono::seconds(1));
      service.advance(host);
    }
  }
  static std::string status(const Answer& answer) { return answer.body["error"]["status"]; }

  FakeClock clock;
  FakeHost host;
  int woken = 0;
  Service service{{std::chrono::milliseconds(1'000), 32, "p", "z"}, clock, "secret", [this] { ++woken; }};
};

TEST_F(ServiceTest, WantsItsToken) {
  for (const char* authorization :
       {"", "Bearer", "Bearer wrong!", "secret", "bearer secret", "Bearer secretsecret"}) {
    const Answer answer =
        service.handle({"GET", std::string(kBase) + "queuedResources", {}, "127.0.0.1", authorization, ""});
    EXPECT_EQ(answer.status, 401) << authorization;
    EXPECT_EQ(status(answer), "UNAUTHENTICATED");
  }
}

TEST_F(ServiceTest, AnswersToLoopbackNamesOnly) {
  for (const char* name : {"127.0.0.1:80", "localhost", "localhost:8080", "[::1]:80"}) {
    EXPECT_EQ(service.handle({"GET", std::string(kBase) + "nodes", {}, name, "Bearer secret", ""}).status,
              200)
        << name;
  }
  for (const char* name :
       {"", "evil.test", "evil.test:80", "localhost.evil.test", "10.0.0.1", "[::2]", "["}) {
    EXPECT_EQ(service.handle({"GET", std::string(kBase) + "nodes", {}, name, "Bearer secret", ""}).status,
              421)
        << name;
  }
}

TEST_F(ServiceTest, AnErrorHasTheShapeOfTheApi) {
  const Answer answer = ask("GET", "queuedResources/none");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.body["error"]["code"], 404);
  EXPECT_EQ(status(answer), "NOT_FOUND");
  EXPECT_NE(
      answer.body["error"]["message"].get<std::string>().find("projects/p/locations/z/queuedResources/none"),
      std::string::npos);
}

TEST_F(ServiceTest, UnknownPathsMethodsPlacesAndParametersAreErrors) {
  EXPECT_EQ(ask("GET", "/nothing").status, 404);
  EXPECT_EQ(ask("PUT", "queuedResources/q").status, 404);
  EXPECT_EQ(ask("POST", "queuedResources/q:explode").status, 404);
  EXPECT_EQ(ask("GET", "/v1/projects/p/locations/z/queuedResources").status, 404);
  EXPECT_EQ(ask("GET", "/v2/projects/other/locations/z/nodes").status, 403);
  EXPECT_EQ(ask("GET", "/v2/projects/p/locations/other/nodes").status, 404);
  EXPECT_EQ(ask("GET", "queuedResources", {{"orderBy", "name"}}).status, 400);
  EXPECT_EQ(ask("GET", "queuedResources", {{"alt", "json"}, {"prettyPrint", "false"}}).status, 200);
}

TEST_F(ServiceTest, AWildcardLocationIsForLists) {
  make_active();
  EXPECT_EQ(ask("GET", "/v2/projects/p/locations/-/queuedResources").body["queuedResources"].size(), 1U);
  EXPECT_EQ(ask("GET", "/v2/projects/p/locations/-/queuedResources/q").status, 404);
}

TEST_F(ServiceTest, TheSameRequestIdGivesTheSameOperationAgain) {
  const Answer first = create("q", "00000000-0000-4000-8000-000000000001");
  const Answer second = create("q", "00000000-0000-4000-8000-000000000001");
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(first.body["name"], second.body["name"]);
  clock.move(std::chrono::seconds(9));
  service.advance(host);
  const Answer third = create("q", "00000000-0000-4000-8000-000000000001");
  EXPECT_EQ(third.body["name"], first.body["name"]);
  EXPECT_EQ(third.body["done"], true);
  EXPECT_EQ(create("q", "00000000-0000-4000-8000-000000000002").status, 409);
}

TEST_F(ServiceTest, ARequestIdOfAnotherRequestIsAnError) {
  create("q", "00000000-0000-4000-8000-000000000001");
  EXPECT_EQ(create("other", "00000000-0000-4000-8000-000000000001").status, 400);
  EXPECT_EQ(create("q", "00000000-0000-4000-8000-000000000001", R"({"spot": {}})").status, 400);
  EXPECT_EQ(ask("DELETE", "queuedResources/q",
                {{"requestId", "00000000-0000-4000-8000-000000000001"}, {"force", "true"}})
                .status,
            400);
}

TEST_F(ServiceTest, ARequestIdIsAUuidAndNotThatOfZeros) {
  for (const char* id : {"id-1", "00000000-0000-0000-0000-000000000000",
                         "00000000-0000-4000-8000-00000000000", "{00000000-0000-4000-8000-000000000001}"}) {
    EXPECT_EQ(create("q", id).status, 400) << id;
  }
  EXPECT_EQ(create("q", "ABCDEF00-0000-4000-8000-00000000000a").status, 200);
}

TEST_F(ServiceTest, ARefusedCreateDoesNotUseUpItsRequestId) {
  EXPECT_EQ(create("q", "00000000-0000-4000-8000-000000000001", "{}").status, 400);
  EXPECT_EQ(create("q", "00000000-0000-4000-8000-000000000001").status, 200);
}

TEST_F(ServiceTest, ADeleteWithTheSameRequestIdAnswersAfterTheResourceIsGone) {
  make_active();
  const std::multimap<std::string, std::string> query = {
      {"force", "True"}, {"requestId", "00000000-0000-4000-8000-000000000009"}};
  const Answer first = ask("DELETE", "queuedResources/q", query);
  ASSERT_EQ(first.status, 200);
  service.advance(host);
  EXPECT_EQ(ask("GET", "queuedResources/q").status, 404);
  const Answer again = ask("DELETE", "queuedResources/q", query);
  EXPECT_EQ(again.body["name"], first.body["name"]);
  EXPECT_EQ(again.body["done"], true);
  EXPECT_EQ(again.body["response"]["@type"], "type.googleapis.com/google.protobuf.Empty");
}

TEST_F(ServiceTest, WhatItBeginsWakesTheWorld) {
  create("q");
  EXPECT_EQ(woken, 1);
  ask("GET", "queuedResources/q");
  create("q");
  EXPECT_EQ(woken, 1);
}

TEST_F(ServiceTest, GuestAttributesAreOneEntryAWorker) {
  make_active();
  for (const char* body : {"", "{}", R"({"workerIds": [""]})", R"({"workerIds": ["0", "1"]})"}) {
    const Answer answer = ask("POST", "nodes/n:getGuestAttributes", {}, body);
    ASSERT_EQ(answer.body["guestAttributes"].size(), 2U) << body;
    const Json& items = answer.body["guestAttributes"][1]["queryValue"]["items"];
    EXPECT_EQ(items[0],
              (Json{{"namespace", "hostkeys"}, {"key", "ssh-ed25519"}, {"value", "key-of-127.1.0.2"}}));
    EXPECT_EQ(items[1]["key"], "hostname");
  }
  EXPECT_EQ(
      ask("POST", "nodes/n:getGuestAttributes", {}, R"({"workerIds": ["1"]})").body["guestAttributes"].size(),
      1U);
  EXPECT_EQ(ask("POST", "nodes/n:getGuestAttributes", {}, R"({"workerIds": ["2"]})").status, 400);
  EXPECT_EQ(ask("POST", "nodes/n:getGuestAttributes", {}, R"({"workerIds": ["-1"]})").status, 400);
  EXPECT_EQ(ask("POST", "nodes/n:getGuestAttributes", {}, R"({"workers": []})").status, 400);
}

TEST_F(ServiceTest, APatchWantsTheMaskThatItSupports) {
  make_active();
  const std::string body = R"({"metadata": {"ssh-keys": "x"}})";
  EXPECT_EQ(ask("PATCH", "nodes/n", {}, body).status, 400);
  EXPECT_EQ(ask("PATCH", "nodes/n", {{"updateMask", "runtimeVersion"}}, body).status, 400);
  EXPECT_EQ(ask("PATCH", "nodes/n", {{"updateMask", "metadata,name"}}, body).status, 400);
  const Answer answer = ask("PATCH", "nodes/n", {{"updateMask", "metadata"}}, body);
  ASSERT_EQ(answer.status, 200);
  service.advance(host);
  const std::string operation = answer.body["name"];
  EXPECT_EQ(ask("GET", "/v2/" + operation).body["response"]["name"], "projects/p/locations/z/nodes/n");
  EXPECT_EQ(ask("GET", "nodes/n").body["metadata"]["ssh-keys"], "x");
}

TEST_F(ServiceTest, AResetTakesAnEmptyBody) {
  make_active();
  EXPECT_EQ(ask("POST", "queuedResources/q:reset", {}, R"({"force": true})").status, 400);
  EXPECT_EQ(ask("POST", "queuedResources/q:reset", {}, "{}").status, 200);
}

TEST_F(ServiceTest, ListsWhatTheZoneOffers) {
  EXPECT_GT(ask("GET", "acceleratorTypes").body["acceleratorTypes"].size(), 40U);
  EXPECT_EQ(ask("GET", "acceleratorTypes/v4-16").body["type"], "v4-16");
  EXPECT_EQ(ask("GET", "acceleratorTypes/v4-17").status, 404);
  EXPECT_EQ(ask("GET", "runtimeVersions/tpu-ubuntu2204-base").body["version"], "tpu-ubuntu2204-base");
  EXPECT_EQ(ask("GET", "runtimeVersions/x").status, 404);
  EXPECT_EQ(ask("GET", "/v2/projects/p/locations").body["locations"][0]["locationId"], "z");
  EXPECT_EQ(ask("GET", "/v2alpha1/projects/p/locations/z").body["locationId"], "z");
  EXPECT_EQ(ask("GET", "/v1/projects/p/locations/z/acceleratorTypes").status, 200);
}

TEST_F(ServiceTest, TheProjectHasNoMetadataOfItsOwn) {
  const Answer answer = ask("GET", "/compute/v1/projects/p", {{"alt", "json"}});
  EXPECT_EQ(answer.body["commonInstanceMetadata"]["items"], Json::array());
  EXPECT_EQ(ask("GET", "/compute/v1/projects/other").status, 404);
}

TEST_F(ServiceTest, OperationsAreListedAndFound) {
  const std::string name = create("q").body["name"];
  EXPECT_EQ(ask("GET", "operations").body["operations"].size(), 1U);
  EXPECT_EQ(ask("GET", "/v2/" + name).body["metadata"]["verb"], "create");
  EXPECT_EQ(ask("GET", "operations/none").status, 404);
}

TEST_F(ServiceTest, ADoneOperationIsDeletedAndOneThatGoesOnIsNot) {
  const std::string name = "/v2/" + create("q").body["name"].get<std::string>();
  EXPECT_EQ(ask("POST", name + ":cancel").status, 200);
  EXPECT_EQ(ask("GET", name).body["metadata"]["cancelRequested"], true);
  EXPECT_EQ(ask("DELETE", name).status, 400);
  clock.move(std::chrono::seconds(1));
  service.advance(host);
  EXPECT_EQ(ask("DELETE", name).status, 200);
  EXPECT_EQ(ask("GET", name).status, 404);
  EXPECT_EQ(ask("POST", name + ":cancel").status, 404);
}

TEST_F(ServiceTest, APatchReplacesWhatItsMaskNamesAndNothingElse) {
  make_active();
  const std::string body =
      R"({"metadata": {"k": "v"}, "labels": {"team": "ml"}, "tags": ["a"], "description": "not named"})";
  ASSERT_EQ(ask("PATCH", "nodes/n", {{"updateMask", "metadata,labels,tags"}}, body).status, 200);
  service.advance(host);
  Json node = ask("GET", "nodes/n").body;
  EXPECT_EQ(node["metadata"], (Json{{"k", "v"}}));
  EXPECT_EQ(node["labels"], (Json{{"team", "ml"}}));
  EXPECT_EQ(node["tags"], Json::array({"a"}));
  EXPECT_FALSE(node.contains("description"));
  ASSERT_EQ(ask("PATCH", "nodes/n", {{"updateMask", "labels,network_config.enable_external_ips"}},
                R"({"networkConfig": {"enableExternalIps": false}})")
                .status,
            200);
  service.advance(host);
  node = ask("GET", "nodes/n").body;
  EXPECT_FALSE(node.contains("labels")) << "named, and not given: cleared";
  EXPECT_FALSE(node["networkEndpoints"][0].contains("accessConfig"));
}

TEST_F(ServiceTest, AResourceWhoseNodesWereDeletedIsDeletedWithoutForce) {
  make_active();
  EXPECT_EQ(ask("DELETE", "queuedResources/q").status, 400);
  const std::string operation = ask("DELETE", "nodes/n").body["name"];
  EXPECT_EQ(ask("GET", "nodes/n").body["state"], "DELETING");
  service.advance(host);
  EXPECT_EQ(ask("GET", "/v2/" + operation).body["done"], true);
  EXPECT_EQ(ask("GET", "nodes/n").status, 404);
  EXPECT_EQ(ask("GET", "queuedResources/q").body["state"]["state"], "ACTIVE");
  EXPECT_EQ(ask("DELETE", "queuedResources/q").status, 200);
}

TEST_F(ServiceTest, MaintenanceIsAMatterOfV2Alpha1) {
  make_active();
  EXPECT_EQ(ask("POST", "nodes/n:performMaintenance").status, 404);
  EXPECT_EQ(ask("GET", "reservations").status, 404);
  const std::string alpha = "/v2alpha1/projects/p/locations/z/";
  EXPECT_EQ(ask("GET", alpha + "reservations").body, Json::object());
  const std::string resource = alpha + "queuedResources/q:performMaintenanceQueuedResource";
  EXPECT_EQ(ask("POST", resource, {}, R"({"nodeNames": ["none"]})").status, 404);
  EXPECT_EQ(ask("POST", resource, {}, R"({"nodes": []})").status, 400);
  for (const auto& [path, body] : std::map<std::string, std::string>{
           {resource, R"({"nodeNames": ["projects/p/locations/z/nodes/n"]})"},
           {alpha + "nodes/n:performMaintenance", "{}"},
           {alpha + "nodes/n:simulateMaintenanceEvent", R"({"workerIds": ["1"]})"}}) {
    const Answer begun = ask("POST", path, {}, body);
    ASSERT_EQ(begun.status, 200) << path;
    EXPECT_EQ(ask("GET", "nodes/n").body["health"], "UNHEALTHY_MAINTENANCE") << path;
    for (int i = 0; i < 4; ++i) {
      clock.move(std::chrono::seconds(1));
      service.advance(host);
    }
    EXPECT_EQ(ask("GET", "/v2alpha1/" + begun.body["name"].get<std::string>()).body["done"], true) << path;
    EXPECT_EQ(ask("GET", "nodes/n").body["state"], "READY") << path;
  }
}

TEST_F(ServiceTest, AListOverAllZonesSaysWhichItDidNotReach) {
  Service two{{std::chrono::milliseconds(1'000), 32, "p", "z", {"far-1"}}, clock, "secret", [] {}};
  const auto list = [&](const std::string& location, const std::string& what) {
    return two
        .handle({"GET",
                 "/v2/projects/p/locations/" + location + "/" + what,
                 {},
                 "127.0.0.1:1",
                 "Bearer secret",
                 ""})
        .body;
  };
  EXPECT_EQ(list("-", "queuedResources")["unreachable"], Json::array({"projects/p/locations/far-1"}));
  EXPECT_EQ(list("-", "nodes")["unreachable"].size(), 1U);
  EXPECT_FALSE(list("z", "queuedResources").contains("unreachable"));
}

}  // namespace
}  // namespace slipway::emulator
