// What workers are told of themselves, as the world goes on.
#include "emulator/metadata_tree.h"
#include "unit/emulator/world_test.h"

namespace slipway::emulator {
namespace {

class MetadataRender : public WorldTest {
 protected:
  std::string value(const std::string& address, const std::string& path) {
    const std::optional<Json> tree = world.metadata(address, "secret-token");
    if (!tree) return "(no worker)";
    const auto found = find_metadata(*tree, path);
    return found ? metadata_text(found->value) : "(none)";
  }
  bool env_has(const std::string& address, const std::string& line) {
    return value(address, "instance/attributes/tpu-env").find(line + "\n") != std::string::npos;
  }
  void befall(Incident::Kind kind, std::chrono::milliseconds notice) {
    Incident incident;
    incident.kind = kind;
    incident.slices = {0};
    incident.notice = notice;
    EXPECT_FALSE(world.befall("q", incident));
    world.advance(host);
  }
};

TEST_F(MetadataRender, NamesTheSliceTheWorkerAndTheCoordinator) {
  metadata = Json{{"startup-script", "echo"}, {"mine", "x"}};
  create("q", 2);
  settle();
  for (const char* line : {"NODE_ID: 'q-1'", "WORKER_ID: '1'", "ZONE: 'z'", "CONSUMER_PROJECT_ID: 'p'",
                           "ACCELERATOR_TYPE: 'v4-16'", "MEGASCALE_SLICE_ID: '1'",
                           "MEGASCALE_NUM_SLICES: '2'", "MEGASCALE_COORDINATOR_ADDRESS: '127.1.0.1'",
                           "WORKER_NETWORK_ENDPOINTS: 'unknown:unknown:127.1.1.1,unknown:unknown:127.1.1.2'"})
    EXPECT_TRUE(env_has("127.1.1.2", line)) << line;
  EXPECT_EQ(value("127.1.1.2", "instance/attributes/mine"), "x");
  EXPECT_EQ(value("127.1.1.2", "instance/attributes/agent-worker-number"), "1");
  EXPECT_EQ(value("127.1.1.2", "instance/network-interfaces/0/ip"), "127.1.1.2");
  EXPECT_EQ(value("127.1.1.2", "project/project-id"), "p");
  EXPECT_EQ(value("127.1.1.2", "instance/zone"), "projects/123456789012/zones/z");
  EXPECT_NE(value("127.1.1.2", "instance/service-accounts/default/token").find("secret-token"),
            std::string::npos);
  EXPECT_EQ(value("127.1.7.1", "instance/name"), "(no worker)");
}

TEST_F(MetadataRender, ASingleSliceKnowsNothingOfMegascale) {
  create("q", 1);
  settle();
  EXPECT_EQ(value("127.1.0.1", "instance/attributes/tpu-env").find("MEGASCALE"), std::string::npos);
}

TEST_F(MetadataRender, TheInstanceIsAnotherOneAfterARepairAndTheSameAfterAReset) {
  create("q", 2);
  settle();
  const std::string before = value("127.1.0.1", "instance/id");
  EXPECT_NE(before, value("127.1.0.2", "instance/id"));
  world.reset("q", ApiVersion::kV2);
  settle();
  EXPECT_EQ(value("127.1.0.1", "instance/id"), before);
  befall(Incident::Kind::kRepair, std::chrono::milliseconds(0));
  settle();
  EXPECT_EQ(value("127.1.0.1", "instance/id"), "(no worker)");
  EXPECT_NE(value("127.1.2.1", "instance/id"), before);
  EXPECT_TRUE(env_has("127.1.1.1", "MEGASCALE_COORDINATOR_ADDRESS: '127.1.2.1'"));
}

TEST_F(MetadataRender, APreemptionIsAnnouncedAndThenComes) {
  create("q", 2);
  settle();
  EXPECT_EQ(value("127.1.0.1", "instance/preempted"), "FALSE");
  befall(Incident::Kind::kPreempt, std::chrono::seconds(5));
  EXPECT_EQ(value("127.1.0.1", "instance/preempted"), "TRUE");
  EXPECT_EQ(value("127.1.1.1", "instance/preempted"), "FALSE");
  EXPECT_EQ(host.warned, (std::vector<std::string>{"127.1.0.1", "127.1.0.2"}));
  EXPECT_EQ(host.state("127.1.0.1"), WorkerState::kUp);
  ASSERT_TRUE(world.next_due());
  pass(5'000);
  EXPECT_EQ(host.state("127.1.0.1"), WorkerState::kOff);
  EXPECT_EQ(host.state("127.1.1.1"), WorkerState::kUp);
  EXPECT_EQ(host.warned.size(), 2U) << "told once";
  EXPECT_EQ(world.find("q")->slices[0].state, SliceState::kPreempted);
}

TEST_F(MetadataRender, AMaintenanceIsAnnouncedInItsOwnWords) {
  create("q", 1);
  settle();
  befall(Incident::Kind::kMaintain, std::chrono::seconds(5));
  EXPECT_EQ(value("127.1.0.1", "instance/maintenance-event"), "TERMINATE_ON_HOST_MAINTENANCE");
  EXPECT_EQ(value("127.1.0.1", "instance/preempted"), "FALSE");
  settle();
  EXPECT_EQ(world.find("q")->slices[0].state, SliceState::kReady) << "repaired by itself";
}

TEST_F(MetadataRender, WhatIsDeletedMeanwhileIsNotPreemptedAnyMore) {
  create("q", 2);
  settle();
  befall(Incident::Kind::kPreempt, std::chrono::seconds(5));
  world.remove("q", true, ApiVersion::kV2);
  settle();
  EXPECT_EQ(state("q"), "gone");
}

}  // namespace
}  // namespace slipway::emulator
