#include "unit/emulator/world_test.h"

#include <set>

namespace slipway::emulator {
namespace {

using std::chrono::milliseconds;

TEST_F(WorldTest, ARequestGoesThroughTheStatesInTheirOrder) {
  create("q");
  std::vector<std::string> seen;
  for (int i = 0; i < 6; ++i) {
    seen.push_back(state("q"));
    pass(250);
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"CREATING", "ACCEPTED", "WAITING_FOR_RESOURCES", "PROVISIONING",
                                            "ACTIVE", "ACTIVE"}));
}

TEST_F(WorldTest, TheOperationOfACreateEndsWhenTheRequestIsQueued) {
  const std::string name = create("q");
  EXPECT_FALSE(operation(name).done);
  pass(250);
  EXPECT_TRUE(operation(name).done);
  EXPECT_EQ(operation(name).response["state"]["state"], "ACCEPTED");
}

TEST_F(WorldTest, ItIsActiveOnlyWhenEveryWorkerIsUp) {
  host.obeys_at_once = false;
  create("q", 2);
  pass(5'000);
  EXPECT_EQ(state("q"), "PROVISIONING");
  host.set_all(WorkerState::kUp);
  host.states["127.1.1.2"] = WorkerState::kStarting;
  pass(5'000);
  EXPECT_EQ(state("q"), "PROVISIONING");
  host.states["127.1.1.2"] = WorkerState::kUp;
  pass(0);
  EXPECT_EQ(state("q"), "ACTIVE");
}

TEST_F(WorldTest, EachWorkerHasAnAddressOfItsOwn) {
  create("a", 2);
  create("b");
  settle();
  std::set<std::string> addresses;
  for (const auto& [address, boot] : host.boots) addresses.insert(address);
  EXPECT_EQ(addresses, (std::set<std::string>{"127.1.0.1", "127.1.0.2", "127.1.1.1", "127.1.1.2", "127.2.0.1",
                                              "127.2.0.2"}));
}

TEST_F(WorldTest, AddressesAreNotReusedBeforeAllWereUsed) {
  for (int i = 0; i < 600; ++i) {
    create("q", 1, "v4-8");
    settle();
    EXPECT_EQ(world.find("q")->address_group, i % 254 + 1);
    ASSERT_TRUE(std::holds_alternative<std::string>(world.remove("q", true, ApiVersion::kV2)));
    pass(0);
    ASSERT_EQ(state("q"), "gone");
  }
}

TEST_F(WorldTest, ARequestWaitsWhenAllAddressesAreTaken) {
  World large{{std::chrono::milliseconds(1'000), 4'096, "p", "z"}, clock};
  for (int i = 0; i < 300; ++i) large.create(request("q" + std::to_string(i), 1, "v4-8"), ApiVersion::kV2);
  const auto active = [&] {
    for (int i = 0; i < 8; ++i) {
      clock.move(std::chrono::seconds(1));
      large.advance(host);
    }
    return std::count_if(large.resources().begin(), large.resources().end(),
                         [](const Resource& one) { return one.state == ResourceState::kActive; });
  };
  EXPECT_EQ(active(), 254);
  EXPECT_EQ(large.find("q299")->state, ResourceState::kWaiting);
  large.remove("q0", true, ApiVersion::kV2);
  EXPECT_EQ(active(), 254);
  EXPECT_EQ(large.find("q254")->state, ResourceState::kActive);
}

TEST_F(WorldTest, ARequestOverTheCapacityWaitsAndTheQueueIsFirstComeFirstServed) {
  create("large", 3);  // 24 of 32 chips
  settle();
  create("next", 2);   // 16
  create("small", 1);  // 8: would fit, but is behind
  settle();
  EXPECT_EQ(state("large"), "ACTIVE");
  EXPECT_EQ(state("next"), "WAITING_FOR_RESOURCES");
  EXPECT_EQ(state("small"), "WAITING_FOR_RESOURCES");
  world.remove("large", true, ApiVersion::kV2);
  settle();
  settle();
  EXPECT_EQ(state("next"), "ACTIVE");
  EXPECT_EQ(state("small"), "ACTIVE");
}

TEST_F(WorldTest, ARequestThatCanNeverFitHoldsUpNobody) {
  create("huge", 5);  // 40 of 32 chips
  create("small", 1);
  settle();
  EXPECT_EQ(state("huge"), "WAITING_FOR_RESOURCES");
  settle();
  EXPECT_EQ(state("small"), "ACTIVE");
}

TEST_F(WorldTest, ChipsAreGivenBackOnlyWhenTheMachinesAreGone) {
  create("a", 4);
  settle();
  create("b", 4);
  settle();
  host.obeys_at_once = false;
  world.remove("a", true, ApiVersion::kV2);
  settle();
  EXPECT_EQ(state("a"), "DELETING");
  EXPECT_EQ(state("b"), "WAITING_FOR_RESOURCES");
  host.set_all(WorkerState::kOff);
  pass(0);
  pass(0);
  EXPECT_EQ(state("a"), "gone");
  EXPECT_EQ(state("b"), "PROVISIONING");
}

TEST_F(WorldTest, ANameThatIsTakenIsRefused) {
  create("q");
  EXPECT_EQ(refusal(world.create(request("q"), ApiVersion::kV2)), Status::kAlreadyExists);
  CreateRequest other = request("other");
  other.node_ids = {"q-0"};
  EXPECT_EQ(refusal(world.create(other, ApiVersion::kV2)), Status::kAlreadyExists);
}

TEST_F(WorldTest, OnlyForceDeletesWhatHoldsMachines) {
  create("q");
  EXPECT_EQ(refusal(world.remove("q", false, ApiVersion::kV2)), Status::kFailedPrecondition);  // CREATING
  settle();
  EXPECT_EQ(refusal(world.remove("q", false, ApiVersion::kV2)), Status::kFailedPrecondition);  // ACTIVE
  const auto removed = world.remove("q", true, ApiVersion::kV2);
  EXPECT_EQ(state("q"), "DELETING");
  EXPECT_FALSE(operation(std::get<std::string>(removed)).done);
  EXPECT_EQ(refusal(world.remove("q", true, ApiVersion::kV2)), Status::kFailedPrecondition);
  pass(0);
  EXPECT_EQ(state("q"), "gone");
  EXPECT_TRUE(operation(std::get<std::string>(removed)).done);
  EXPECT_EQ(refusal(world.remove("q", true, ApiVersion::kV2)), Status::kNotFound);
}

TEST_F(WorldTest, AQueuedRequestIsDeletedWithoutForce) {
  create("q");
  pass(250);
  EXPECT_TRUE(std::holds_alternative<std::string>(world.remove("q", false, ApiVersion::kV2)));
}

TEST_F(WorldTest, ACreateThatIsDeletedBeforeItWasQueuedEndsAborted) {
  const std::string name = create("q");
  world.remove("q", true, ApiVersion::kV2);
  EXPECT_TRUE(operation(name).done);
  EXPECT_EQ(operation(name).error["code"], 10);
}

TEST_F(WorldTest, AResetStopsEveryWorkerBeforeItBootsOne) {
  create("q", 2);
  settle();
  host.obeys_at_once = false;
  const std::string name = std::get<std::string>(world.reset("q", ApiVersion::kV2));
  EXPECT_EQ(world.find_node("q-1").second->state, SliceState::kRestarting);
  pass(0);
  host.set_all(WorkerState::kOff);
  host.states["127.1.1.1"] = WorkerState::kStopping;
  pass(1'000);
  EXPECT_EQ(host.boot_count["127.1.0.1"], 1);
  host.states["127.1.1.1"] = WorkerState::kOff;
  pass(0);
  EXPECT_EQ(host.boot_count["127.1.0.1"], 2);
  EXPECT_FALSE(operation(name).done);
  host.set_all(WorkerState::kUp);
  pass(0);
  EXPECT_TRUE(operation(name).done);
  EXPECT_EQ(world.find_node("q-1").second->state, SliceState::kReady);
  EXPECT_EQ(state("q"), "ACTIVE");
}

TEST_F(WorldTest, OnlyAnActiveResourceIsReset) {
  EXPECT_EQ(refusal(world.reset("q", ApiVersion::kV2)), Status::kNotFound);
  create("q");
  EXPECT_EQ(refusal(world.reset("q", ApiVersion::kV2)), Status::kFailedPrecondition);
  settle();
  ASSERT_TRUE(std::holds_alternative<std::string>(world.reset("q", ApiVersion::kV2)));
  EXPECT_EQ(refusal(world.reset("q", ApiVersion::kV2)), Status::kFailedPrecondition);
}

TEST_F(WorldTest, AResetThatIsOvertakenByADeleteEndsAborted) {
  create("q");
  settle();
  const std::string name = std::get<std::string>(world.reset("q", ApiVersion::kV2));
  world.remove("q", true, ApiVersion::kV2);
  settle();
  EXPECT_EQ(operation(name).error["code"], 10);
  EXPECT_EQ(state("q"), "gone");
}

TEST_F(WorldTest, AWorkerThatDoesNotStartFailsTheRequestAndStopsTheOthers) {
  host.obeys_at_once = false;
  create("q");
  settle();
  host.states["127.1.0.1"] = WorkerState::kUp;
  host.states["127.1.0.2"] = WorkerState::kFailed;
  settle();
  EXPECT_EQ(state("q"), "FAILED");
  EXPECT_NE(world.find("q")->failure["message"].get<std::string>().find("no luck"), std::string::npos);
  EXPECT_EQ(host.states["127.1.0.1"], WorkerState::kStopping);
  host.set_all(WorkerState::kOff);
  EXPECT_TRUE(std::holds_alternative<std::string>(world.remove("q", false, ApiVersion::kV2)));
  pass(0);
  EXPECT_EQ(state("q"), "gone");
}

TEST_F(WorldTest, WorkersGetTheirKeysAndScriptFromTheMetadata) {
  metadata = Json{{"ssh-keys", "root:ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA"}, {"startup-script", "echo hi"}};
  create("q");
  settle();
  const WorkerBoot& boot = host.boots.at("127.1.0.2");
  ASSERT_EQ(boot.keys.size(), 1U);
  EXPECT_EQ(boot.keys[0].user, "root");
  EXPECT_EQ(boot.startup_script, "echo hi");
  EXPECT_NE(boot.hostname, host.boots.at("127.1.0.1").hostname);
}

TEST_F(WorldTest, APatchOfTheMetadataReachesTheWorkersAndAnswersWithTheNode) {
  create("q", 2);
  settle();
  const Json wanted{{"ssh-keys", "bob:ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA"}};
  const std::string name =
      std::get<std::string>(world.patch_node("q-1", Json{{"metadata", wanted}}, ApiVersion::kV2));
  EXPECT_FALSE(operation(name).done);
  pass(0);
  ASSERT_EQ(host.keys["127.1.1.1"].size(), 1U);
  EXPECT_TRUE(host.keys["127.1.0.1"].empty());
  EXPECT_EQ(operation(name).response["name"], "projects/p/locations/z/nodes/q-1");
  EXPECT_EQ(operation(name).response["metadata"], wanted);
  EXPECT_EQ(refusal(world.patch_node("q-7", Json{{"metadata", wanted}}, ApiVersion::kV2)), Status::kNotFound);
}

TEST_F(WorldTest, ItSaysWhenItHasSomethingToDo) {
  EXPECT_FALSE(world.next_due().has_value());
  create("q");
  EXPECT_EQ(*world.next_due(), clock.now() + milliseconds(250));
  settle();
  settle();
  EXPECT_FALSE(world.next_due().has_value());
  world.reset("q", ApiVersion::kV2);
  EXPECT_TRUE(world.next_due().has_value());
}

TEST_F(WorldTest, EachVersionShowsAResourceInItsOwnForm) {
  CreateRequest many = request("q", 2);
  many.body["bestEffort"] = Json::object();
  world.create(many, ApiVersion::kV2Alpha1);
  const Json alpha = render_resource(world, *world.find("q"), ApiVersion::kV2Alpha1);
  EXPECT_TRUE(alpha.contains("bestEffort"));
  EXPECT_EQ(alpha["tpu"]["nodeSpec"][0]["multiNodeParams"]["nodeCount"], 2);
  const Json v2 = render_resource(world, *world.find("q"), ApiVersion::kV2);
  EXPECT_FALSE(v2.contains("bestEffort"));
  EXPECT_EQ(v2["tpu"]["nodeSpec"][0]["multisliceParams"]["nodeCount"], 2);
}

TEST_F(WorldTest, TheNodeSpecIsOneEntryASliceOnceTheSlicesExist) {
  create("q", 3);
  EXPECT_EQ(render_resource(world, *world.find("q"), ApiVersion::kV2)["tpu"]["nodeSpec"].size(), 1U);
  settle();
  const Json specs = render_resource(world, *world.find("q"), ApiVersion::kV2)["tpu"]["nodeSpec"];
  ASSERT_EQ(specs.size(), 3U);
  EXPECT_EQ(specs[2]["nodeId"], "q-2");
  EXPECT_FALSE(specs[2].contains("multisliceParams"));
}

TEST_F(WorldTest, AnInternalNodeHasNoExternalAddress) {
  CreateRequest one = request("q");
  one.body["tpu"]["nodeSpec"][0]["node"]["networkConfig"] = Json{{"enableExternalIps", false}};
  world.create(one, ApiVersion::kV2);
  settle();
  const auto [resource, slice] = world.find_node("q-0");
  const Json node = render_node(world, *resource, *slice, ApiVersion::kV2);
  EXPECT_EQ(node["networkEndpoints"][0]["ipAddress"], "127.1.0.1");
  EXPECT_FALSE(node["networkEndpoints"][0].contains("accessConfig"));
  EXPECT_GT(std::stoll(node["id"].get<std::string>()), std::int64_t{1} << 53);
}

TEST_F(WorldTest, ARequestIsNotServedBeforeItsTimeAndHoldsUpNobody) {
  CreateRequest later = request("later", 4);
  later.body["queueingPolicy"] = Json{{"validAfterDuration", "60s"}};
  world.create(later, ApiVersion::kV2);
  create("now", 4);
  settle();
  EXPECT_EQ(state("later"), "WAITING_FOR_RESOURCES");
  EXPECT_EQ(state("now"), "ACTIVE");
  world.remove("now", true, ApiVersion::kV2);
  pass(0);
  EXPECT_EQ(*world.next_due(), clock.now() + milliseconds(52'000));
  pass(52'000);
  EXPECT_EQ(state("later"), "PROVISIONING");
}

TEST_F(WorldTest, ARequestThatIsNotServedByItsTimeFails) {
  create("first", 4);
  for (const char* policy :
       {R"({"validUntilDuration": "30s"})", R"({"validUntilTime": "2026-11-18T11:07:10Z"})",
        R"({"validInterval": {"startTime": "2026-11-18T11:06:50Z",
                                                   "endTime": "2026-11-18T11:07:10Z"}})"}) {
    FakeClock other;
    World small({milliseconds(1'000), 4, "p", "z"}, other);
    CreateRequest late = request("q");
    late.body["queueingPolicy"] = *parse_json(policy);
    small.create(late, ApiVersion::kV2);
    for (int i = 0; i < 40; ++i) {
      other.move(milliseconds(1'000));
      small.advance(host);
      if (i != 5) continue;
      EXPECT_EQ(to_string(small.find("q")->state), "WAITING_FOR_RESOURCES") << policy;
    }
    EXPECT_EQ(to_string(small.find("q")->state), "FAILED") << policy;
    EXPECT_EQ(small.find("q")->failure["code"], 4) << policy;
  }
}

TEST_F(WorldTest, ARequestThatIsServedInTimeDoesNotExpire) {
  CreateRequest one = request("q");
  one.body["queueingPolicy"] = Json{{"validUntilDuration", "5s"}};
  world.create(one, ApiVersion::kV2);
  settle();
  settle();
  EXPECT_EQ(state("q"), "ACTIVE");
}

TEST_F(WorldTest, ARequestThatHasHadItsRunTimeIsSuspendedByTheService) {
  CreateRequest one = request("q");
  one.body["runDuration"] = Json{{"maxRunDuration", "60s"}};
  world.create(one, ApiVersion::kV2Alpha1);
  settle();
  ASSERT_EQ(state("q"), "ACTIVE");
  pass(50'000);
  EXPECT_EQ(state("q"), "ACTIVE");
  pass(10'000);
  EXPECT_EQ(state("q"), "SUSPENDING");
  settle();
  EXPECT_EQ(state("q"), "SUSPENDED");
}

}  // namespace
}  // namespace slipway::emulator
