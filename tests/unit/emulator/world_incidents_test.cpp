#include <algorithm>

#include "unit/emulator/world_test.h"

namespace slipway::emulator {
namespace {

using Kind = Incident::Kind;
using std::chrono::milliseconds;

class Incidents : public WorldTest {
 protected:
  std::optional<ApiError> befall(Kind kind, std::vector<std::size_t> slices = {},
                                 std::optional<milliseconds> repair_after = {}) {
    Incident incident;
    incident.kind = kind;
    incident.slices = std::move(slices);
    incident.repair_after = repair_after;
    return world.befall("q", incident);
  }
  const Slice& slice(std::size_t index) const { return world.find("q")->slices.at(index); }
  std::string slice_state(std::size_t index) const { return std::string(to_string(slice(index).state)); }
  void make_active(int slices, const char* tier = nullptr) {
    CreateRequest create = request("q", slices);
    if (tier != nullptr) create.body[tier] = Json::object();
    world.create(create, ApiVersion::kV2);
    settle();
    ASSERT_EQ(state("q"), "ACTIVE");
  }
  Json shown() const { return render_resource(world, *world.find("q"), ApiVersion::kV2); }
};

TEST_F(Incidents, APreemptedSliceStaysAwayAndTheOthersRunOn) {
  make_active(2);
  EXPECT_FALSE(befall(Kind::kPreempt, {1}));
  settle();
  EXPECT_EQ(slice_state(1), "PREEMPTED");
  EXPECT_EQ(slice_state(0), "READY");
  EXPECT_EQ(host.states["127.1.1.1"], WorkerState::kOff);
  EXPECT_EQ(host.states["127.1.0.1"], WorkerState::kUp);
  EXPECT_EQ(state("q"), "ACTIVE");
  EXPECT_FALSE(world.next_due().has_value());
}

TEST_F(Incidents, OneMachineOfASliceCanGo) {
  make_active(1);
  Incident incident;
  incident.workers = {1};
  EXPECT_FALSE(world.befall("q", incident));
  settle();
  EXPECT_EQ(slice_state(0), "PREEMPTED");
  EXPECT_EQ(host.states["127.1.0.1"], WorkerState::kUp);
  EXPECT_EQ(host.states["127.1.0.2"], WorkerState::kOff);
}

TEST_F(Incidents, ARepairedSliceHasNewMachinesAndTheOthersAreRestartedAfterIt) {
  make_active(3);
  const std::int64_t number = slice(1).number;
  befall(Kind::kPreempt, {1});
  pass(0);
  host.obeys_at_once = false;
  EXPECT_FALSE(befall(Kind::kRepair));
  pass(0);
  EXPECT_EQ(slice_state(1), "REPAIRING");
  EXPECT_EQ(slice(1).workers[0].address, "127.1.3.1") << "an address that nobody here had";
  EXPECT_NE(slice(1).number, number);
  EXPECT_EQ(slice_state(0), "READY") << "not yet";
  host.set_all(WorkerState::kUp);
  pass(250);
  EXPECT_EQ(slice_state(1), "READY");
  EXPECT_EQ(slice_state(0), "RESTARTING");
  host.obeys_at_once = true;
  host.set_all(WorkerState::kUp);
  settle();
  EXPECT_EQ(slice_state(0), "READY");
  EXPECT_EQ(host.boot_count["127.1.0.1"], 2);
  EXPECT_EQ(host.boot_count["127.1.2.1"], 2);
  EXPECT_EQ(host.boot_count["127.1.3.1"], 1);
  EXPECT_EQ(host.states.count("127.1.1.1"), 0U) << "the old machine is erased";
}

TEST_F(Incidents, AHealthySliceThatIsNamedIsRepairedToo) {
  make_active(2);
  EXPECT_EQ(befall(Kind::kRepair)->status, Status::kFailedPrecondition) << "nothing is broken";
  EXPECT_FALSE(befall(Kind::kRepair, {0}));
  settle();
  EXPECT_EQ(slice(0).workers[0].address, "127.1.2.1");
  EXPECT_EQ(slice_state(0), "READY");
  EXPECT_EQ(slice_state(1), "READY");
}

TEST_F(Incidents, APreemptedSliceComesBackAfterItsTime) {
  make_active(2);
  befall(Kind::kPreempt, {0}, milliseconds(5'000));
  EXPECT_EQ(*world.next_due(), clock.now() + milliseconds(5'000));
  pass(4'999);
  EXPECT_EQ(slice_state(0), "PREEMPTED");
  pass(1);
  EXPECT_EQ(slice_state(0), "REPAIRING");
  settle();
  EXPECT_EQ(slice_state(0), "READY");
}

TEST_F(Incidents, ASpotRequestThatLostAllItsSlicesIsSuspendedByTheService) {
  make_active(2, "spot");
  befall(Kind::kPreempt, {0});
  pass(0);
  EXPECT_EQ(state("q"), "ACTIVE");
  befall(Kind::kPreempt);
  EXPECT_EQ(state("q"), "SUSPENDING");
  settle();
  EXPECT_EQ(state("q"), "SUSPENDED");
  EXPECT_EQ(shown()["state"]["stateInitiator"], "SERVICE");
  EXPECT_EQ(shown()["state"]["suspendedData"], Json::object());
  EXPECT_EQ(shown()["tpu"]["nodeSpec"].size(), 2U) << "the spec stays one entry a slice";
  EXPECT_EQ(world.find_node("q-0").second, nullptr);
  EXPECT_EQ(world.chips_in_use(), 0);
  EXPECT_TRUE(std::holds_alternative<std::string>(world.remove("q", false, ApiVersion::kV2)));
}

TEST_F(Incidents, AnOnDemandRequestThatLostAllItsSlicesStaysActive) {
  make_active(1);
  befall(Kind::kPreempt);
  settle();
  EXPECT_EQ(state("q"), "ACTIVE");
}

TEST_F(Incidents, ASuspendedRequestSaysWhoDidIt) {
  make_active(1);
  Incident incident;
  incident.kind = Kind::kSuspend;
  incident.by_user = true;
  EXPECT_FALSE(world.befall("q", incident));
  EXPECT_EQ(shown()["state"]["state"], "SUSPENDING");
  EXPECT_EQ(refusal(world.remove("q", false, ApiVersion::kV2)), Status::kFailedPrecondition);
  EXPECT_EQ(refusal(world.reset("q", ApiVersion::kV2)), Status::kFailedPrecondition);
  settle();
  EXPECT_EQ(shown()["state"]["state"], "SUSPENDED");
  EXPECT_EQ(shown()["state"]["stateInitiator"], "USER");
  EXPECT_EQ(refusal(world.reset("q", ApiVersion::kV2)), Status::kFailedPrecondition);
}

TEST_F(Incidents, AFailedRequestHasTheErrorThatWasGivenAndNoMachines) {
  make_active(2);
  Incident incident;
  incident.kind = Kind::kFail;
  incident.code = 8;
  incident.message = "There is no more capacity in the zone";
  EXPECT_FALSE(world.befall("q", incident));
  settle();
  EXPECT_EQ(shown()["state"]["failedData"]["error"],
            (Json{{"code", 8}, {"message", "There is no more capacity in the zone"}}));
  EXPECT_TRUE(world.find("q")->slices.empty());
  EXPECT_TRUE(std::holds_alternative<std::string>(world.remove("q", false, ApiVersion::kV2)));
}

TEST_F(Incidents, AFailedRequestCanKeepSomeOfItsSlices) {
  make_active(3);
  befall(Kind::kFail, {1});
  settle();
  EXPECT_EQ(state("q"), "FAILED");
  EXPECT_EQ(world.find("q")->slices.size(), 2U);
  EXPECT_EQ(world.find_node("q-2").second->state, SliceState::kReady);
  EXPECT_EQ(world.find_node("q-1").second, nullptr);
  EXPECT_EQ(host.states["127.1.2.1"], WorkerState::kUp);
}

TEST_F(Incidents, ARequestThatFailsBeforeItWasQueuedEndsItsOperationWithTheError) {
  const std::string name = create("q");
  Incident incident;
  incident.kind = Kind::kFail;
  incident.code = 8;
  world.befall("q", incident);
  EXPECT_EQ(operation(name).error["code"], 8);
  EXPECT_EQ(state("q"), "FAILED");
}

TEST_F(Incidents, AMaintenanceShowsInTheNodeAndNewMachinesCome) {
  make_active(2);
  host.obeys_at_once = false;
  EXPECT_FALSE(befall(Kind::kMaintain, {0}));
  pass(0);
  const Json node = render_node(world, *world.find("q"), slice(0), ApiVersion::kV2);
  EXPECT_EQ(node["health"], "UNHEALTHY_MAINTENANCE");
  EXPECT_EQ(node["upcomingMaintenance"]["maintenanceStatus"], "ONGOING");
  host.obeys_at_once = true;
  host.set_all(WorkerState::kOff);
  settle();
  EXPECT_EQ(slice_state(0), "READY");
  EXPECT_EQ(render_node(world, *world.find("q"), slice(0), ApiVersion::kV2)["health"], "HEALTHY");
}

TEST_F(Incidents, WhatCannotBeIsRefused) {
  EXPECT_EQ(befall(Kind::kPreempt)->status, Status::kNotFound);
  create("q");
  EXPECT_EQ(befall(Kind::kPreempt)->status, Status::kFailedPrecondition);
  settle();
  befall(Kind::kFail);
  for (const Kind kind : {Kind::kPreempt, Kind::kRepair, Kind::kFail, Kind::kSuspend, Kind::kMaintain}) {
    EXPECT_EQ(befall(kind)->status, Status::kFailedPrecondition) << to_string(kind);
  }
}

TEST_F(Incidents, AResetLeavesAPreemptedSliceAway) {
  make_active(2);
  befall(Kind::kPreempt, {1});
  const std::string name = std::get<std::string>(world.reset("q", ApiVersion::kV2));
  settle();
  EXPECT_TRUE(operation(name).done);
  EXPECT_EQ(slice_state(0), "READY");
  EXPECT_EQ(slice_state(1), "PREEMPTED");
}

TEST_F(Incidents, RepairsForAWholeDayNeverRunOutOfAddresses) {
  make_active(2);
  for (int i = 0; i < 600; ++i) {
    befall(Kind::kRepair, {static_cast<std::size_t>(i % 2)});
    settle();
    ASSERT_EQ(slice_state(0), "READY");
    ASSERT_NE(slice(0).subnet, slice(1).subnet);
  }
}

}  // namespace
}  // namespace slipway::emulator
