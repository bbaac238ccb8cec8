// A boot as a startup script sees it: its metadata, its boot id, what a reboot keeps, and the notice of its
// end.
#include <gtest/gtest.h>

#include "integration/emulator/running_emulator.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/emulator/incident.h"

namespace slipway::emulator {
namespace {

constexpr const char* kAsk =
    "ask() { curl -sS -H Metadata-Flavor:Google \"http://$GCE_METADATA_HOST/computeMetadata/v1/$1\"; }\n";

#define NEEDS_NAMESPACES(emulator)                                                              \
  if (const auto notes = notes_of((emulator).options.state_dir); notes.ok() && !notes->empty()) \
  GTEST_SKIP() << notes->front()

class EmulatorBoot : public testing::Test {
 protected:
  void begin(const std::string& script, int slices = 1) {
    emulator.create("q", slices, "v4-16", kAsk + script);
    ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  }
  /// A file of a worker's root, once it is there.
  std::string root_file(const std::string& address, const std::string& name) const {
    const std::string path = emulator.options.state_dir + "/workers/" + address + "/root/" + name;
    EXPECT_TRUE(eventually([&] { return file_exists(path); })) << path;
    const Result<std::string> text = read_file(path);
    return text.ok() ? *text : "";
  }
  void befall(Incident::Kind kind, std::chrono::milliseconds notice) {
    Incident incident;
    incident.kind = kind;
    incident.slices = {0};
    incident.notice = notice;
    const Result<void> done = emulator::befall(emulator.options.state_dir, "q", incident);
    EXPECT_TRUE(done.ok()) << done.error().message();
  }
  void reset() {
    const Json operation = *parse_json(emulator.ask("POST", "queuedResources/q:reset", Json::object()).body);
    const std::string name = operation["name"];
    ASSERT_TRUE(eventually(
        [&] { return emulator.get("operations" + name.substr(name.rfind('/')))["done"] == true; }));
  }

  RunningEmulator emulator;
};

TEST_F(EmulatorBoot, TheStartupScriptReadsItsOwnMetadataAndTheBucket) {
  begin(R"sh(ask instance/attributes/tpu-env > ~/env.new
token=$(ask instance/service-accounts/default/token | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
curl -sS -o ~/bucket -w '%{http_code}' -H "Authorization: Bearer $token" \
  "$STORAGE_EMULATOR_HOST/storage/v1/b/emulator-bucket" > ~/status
mv ~/env.new ~/env
)sh",
        2);
  const std::string env = root_file("127.1.1.2", "env");
  EXPECT_NE(env.find("NODE_ID: 'q-1'\n"), std::string::npos) << env;
  EXPECT_NE(env.find("WORKER_ID: '1'\n"), std::string::npos) << env;
  EXPECT_NE(env.find("MEGASCALE_COORDINATOR_ADDRESS: '127.1.0.1'\n"), std::string::npos) << env;
  EXPECT_EQ(root_file("127.1.1.2", "status"), "200");
}

TEST_F(EmulatorBoot, ASessionHasTheMetadataServerOfItsWorker) {
  begin("");
  const std::string ask = std::string(kAsk) + "ask instance/hostname";
  const std::string one = emulator.ssh("127.1.0.1", ask).out;
  EXPECT_EQ(one.rfind("t1v-n-", 0), 0U) << one;
  EXPECT_NE(one, emulator.ssh("127.1.0.2", ask).out);
  EXPECT_EQ(emulator.ssh("127.1.0.1", "getent hosts \"$(hostname)\" | cut -d' ' -f1").out, "127.1.0.1\n");
}

TEST_F(EmulatorBoot, EveryBootHasAnIdOfItsOwnAndKeepsTheHome) {
  NEEDS_NAMESPACES(emulator);
  begin("cat /proc/sys/kernel/random/boot_id >> ~/boots; touch /run/mark; ls /run/mark > ~/seen\n");
  ASSERT_TRUE(eventually([&] { return !root_file("127.1.0.2", "seen").empty(); }));
  const std::string first = root_file("127.1.0.1", "boots");
  EXPECT_NE(first, root_file("127.1.0.2", "boots"));
  EXPECT_EQ(emulator.ssh("127.1.0.1", "cat /proc/sys/kernel/random/boot_id").out, first);
  EXPECT_NE(*read_file("/proc/sys/kernel/random/boot_id"), first);
  reset();
  ASSERT_TRUE(eventually([&] { return split(trim(root_file("127.1.0.1", "boots")), '\n').size() == 2; }));
  EXPECT_EQ(root_file("127.1.0.1", "boots").rfind(first, 0), 0U);
}

TEST_F(EmulatorBoot, ARepairedWorkerBeginsWithNothing) {
  begin("cat /proc/sys/kernel/random/boot_id >> ~/boots\n");
  root_file("127.1.0.1", "boots");
  befall(Incident::Kind::kRepair, std::chrono::milliseconds(0));
  const std::string boots = root_file("127.1.1.1", "boots");
  EXPECT_TRUE(eventually([&] { return emulator.get("nodes/q-0")["state"] == "READY"; }));
  EXPECT_EQ(split(trim(root_file("127.1.1.1", "boots")), '\n').size(), 1U);
  EXPECT_FALSE(file_exists(emulator.options.state_dir + "/workers/127.1.0.1"));
}

TEST_F(EmulatorBoot, APreemptionIsNoticedByTheScriptBeforeItComes) {
  begin(R"(trap 'ask instance/preempted > ~/told; exit' TERM
touch ~/up
while :; do sleep 0.05; done
)");
  root_file("127.1.0.1", "up");
  befall(Incident::Kind::kPreempt, std::chrono::seconds(60));
  ASSERT_TRUE(eventually([&] { return root_file("127.1.0.1", "told") == "TRUE"; }));
  EXPECT_EQ(emulator.get("nodes/q-0")["state"], "READY");
  EXPECT_EQ(emulator.ssh("127.1.0.1", "true").status, 0) << "the machine is still there";
}

TEST_F(EmulatorBoot, AWaitForTheNoticeIsAnswered) {
  begin(R"sh(trap '' TERM
url=http://$GCE_METADATA_HOST/computeMetadata/v1/instance/preempted
etag=$(curl -sS -D - -o /dev/null -H Metadata-Flavor:Google "$url" | tr -d '\r' | sed -n 's/^ETag: //p')
touch ~/knows
ask "instance/preempted?wait_for_change=true&timeout_sec=60&last_etag=$etag" > ~/waited.new
mv ~/waited.new ~/waited
)sh");
  root_file("127.1.0.1", "knows");
  befall(Incident::Kind::kPreempt, std::chrono::seconds(60));
  EXPECT_EQ(root_file("127.1.0.1", "waited"), "TRUE");
}

TEST_F(EmulatorBoot, TheNoticeEndsWithTheMachines) {
  begin("");
  befall(Incident::Kind::kPreempt, std::chrono::milliseconds(200));
  EXPECT_TRUE(eventually([&] { return emulator.get("nodes/q-0")["state"] == "PREEMPTED"; }));
  EXPECT_TRUE(eventually([&] { return emulator.ssh("127.1.0.1", "true").status == 255; }));
}

}  // namespace
}  // namespace slipway::emulator
