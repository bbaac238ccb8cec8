#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "integration/emulator/running_emulator.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

/// Without namespaces the workers share processes and users, and these tests have nothing to see.
#define NEEDS_NAMESPACES(emulator)                                                              \
  if (const auto notes = notes_of((emulator).options.state_dir); notes.ok() && !notes->empty()) \
  GTEST_SKIP() << notes->front()

std::string unique_sleep() {
  static int count = 0;
  return fmt::format("sleep 86400.{}{:03}", ::getpid(), ++count);
}

TEST(EmulatorWorkers, AreReachedWithSshAndHaveTheHostKeyThatTheApiNames) {
  RunningEmulator emulator;
  emulator.create("q", 2);
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  std::set<std::string> hostnames;
  for (const std::string slice : {"q-0", "q-1"}) {
    const Json node = emulator.get("nodes/" + slice);
    const Json attributes =
        *parse_json(emulator.ask("POST", "nodes/" + slice + ":getGuestAttributes", Json::object()).body);
    for (std::size_t w = 0; w < 2; ++w) {
      const std::string address = node["networkEndpoints"][w]["ipAddress"];
      const Json& items = attributes["guestAttributes"][w]["queryValue"]["items"];
      const Ran scan = run_shell(fmt::format("ssh-keyscan -t ed25519 -p {} {} 2>/dev/null",
                                             emulator.exported("SLIPWAY_SSH_PORT"), address));
      EXPECT_NE(scan.out.find(items[0]["value"].get<std::string>()), std::string::npos);
      const Ran said = emulator.ssh(address, "hostname; exit 5");
      EXPECT_EQ(said.status, 5);
      EXPECT_EQ(std::string(trim(said.out)), items[1]["value"]);
      hostnames.insert(said.out);
    }
  }
  EXPECT_EQ(hostnames.size(), 4U);
}

TEST(EmulatorWorkers, HaveProcessesAndFilesOfTheirOwn) {
  RunningEmulator emulator;
  NEEDS_NAMESPACES(emulator);
  emulator.create("q", 1);
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  EXPECT_EQ(
      emulator.ssh("127.1.0.1", "echo mine > ~/file; echo mine > /tmp/slipway-mark; hostname > /tmp/name")
          .status,
      0);
  EXPECT_NE(emulator.ssh("127.1.0.2", "ls ~/file").status, 0);
  EXPECT_FALSE(file_exists("/tmp/slipway-mark"));
  EXPECT_NE(emulator.ssh("127.1.0.1", "touch /etc/slipway-mark").status, 0);
  EXPECT_FALSE(file_exists("/etc/slipway-mark"));
  EXPECT_LT(std::stoi(emulator.ssh("127.1.0.1", "ls -d /proc/[0-9]* | wc -l").out), 20);
  EXPECT_EQ(emulator.ssh("127.1.0.1", "grep SigIgn /proc/self/status").out, "SigIgn:\t0000000000000000\n");
}

TEST(EmulatorWorkers, LetInWhoeverTheMetadataNamesAndNobodyElse) {
  RunningEmulator emulator;
  NEEDS_NAMESPACES(emulator);
  emulator.create("q", 1);
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  EXPECT_EQ(emulator.ssh("127.1.0.2", "true", "alice").status, 255);
  const Json metadata{{"metadata", Json{{"ssh-keys", emulator.ssh_key_line("alice")}}}};
  const std::string operation =
      (*parse_json(emulator.ask("PATCH", "nodes/q-0?updateMask=metadata", metadata).body))["name"];
  ASSERT_TRUE(eventually(
      [&] { return emulator.get("operations" + operation.substr(operation.rfind('/')))["done"] == true; }));
  for (const char* address : {"127.1.0.1", "127.1.0.2"}) {
    EXPECT_EQ(emulator.ssh(address, "whoami; pwd; touch here", "alice").out, "alice\n/home/alice\n");
    EXPECT_EQ(emulator.ssh(address, "true", "root").status, 255) << "root's key is no longer in the metadata";
  }
}

TEST(EmulatorWorkers, AResetEndsEvenWhatLeftItsSessionAndRunsTheStartupScriptAgain) {
  RunningEmulator emulator;
  const std::string service = unique_sleep();
  const std::string job = unique_sleep();
  emulator.create("q", 2, "v4-16", fmt::format("echo boot >> ~/boots\n{} &\n", service));
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  ASSERT_TRUE(eventually([&] { return processes_with(service).size() == 4; }));
  ASSERT_EQ(
      emulator.ssh("127.1.1.1", fmt::format("setsid {} </dev/null >/dev/null 2>&1 & echo kept > ~/kept", job))
          .status,
      0);
  ASSERT_TRUE(eventually([&] { return processes_with(job).size() == 1; }));
  const std::vector<pid_t> before = processes_with(service);
  const std::string key = emulator.get("nodes/q-1")["id"];

  const auto answer = emulator.ask("POST", "queuedResources/q:reset", Json::object());
  ASSERT_EQ(answer.status, 200);
  const std::string operation = (*parse_json(answer.body))["name"];
  ASSERT_TRUE(eventually(
      [&] { return emulator.get("operations" + operation.substr(operation.rfind('/')))["done"] == true; }));
  EXPECT_EQ(emulator.get("nodes/q-1")["state"], "READY");
  EXPECT_EQ(emulator.get("nodes/q-1")["id"], key);
  EXPECT_TRUE(processes_with(job).empty());
  ASSERT_TRUE(eventually([&] { return processes_with(service).size() == 4; }));
  for (const pid_t pid : processes_with(service)) EXPECT_EQ(std::count(before.begin(), before.end(), pid), 0);
  EXPECT_EQ(emulator.ssh("127.1.1.1", "cat ~/kept ~/boots").out, "kept\nboot\nboot\n");
}

TEST(EmulatorWorkers, AnOldHostKeyIsKeptOverAReset) {
  RunningEmulator emulator;
  emulator.create("q", 1);
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  const std::string before = emulator.ask("POST", "nodes/q-0:getGuestAttributes", Json::object()).body;
  emulator.ask("POST", "queuedResources/q:reset", Json::object());
  ASSERT_TRUE(eventually([&] { return emulator.get("nodes/q-0")["state"] == "READY"; }));
  EXPECT_EQ(emulator.ask("POST", "nodes/q-0:getGuestAttributes", Json::object()).body, before);
}

TEST(EmulatorWorkers, AreGoneWithTheirFilesAfterADelete) {
  RunningEmulator emulator;
  const std::string job = unique_sleep();
  emulator.create("q", 1);
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  emulator.ssh("127.1.0.1", fmt::format("setsid {} </dev/null >/dev/null 2>&1 &", job));
  ASSERT_TRUE(eventually([&] { return !processes_with(job).empty(); }));
  EXPECT_EQ(emulator.ask("DELETE", "queuedResources/q").status, 400);
  EXPECT_EQ(emulator.ask("DELETE", "queuedResources/q?force=True").status, 200);
  ASSERT_TRUE(eventually([&] { return emulator.ask("GET", "queuedResources/q").status == 404; }));
  EXPECT_TRUE(processes_with(job).empty());
  EXPECT_FALSE(file_exists(emulator.options.state_dir + "/workers/127.1.0.1"));
}

TEST(EmulatorWorkers, AStopEndsEveryProcess) {
  RunningEmulator emulator;
  const std::string job = unique_sleep();
  emulator.create("q", 1);
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  emulator.ssh("127.1.0.1", fmt::format("setsid {} </dev/null >/dev/null 2>&1 &", job));
  ASSERT_TRUE(eventually([&] { return !processes_with(job).empty(); }));
  ASSERT_TRUE(stop(emulator.options.state_dir).ok());
  EXPECT_TRUE(processes_with(job).empty());
  EXPECT_TRUE(processes_with(emulator.options.state_dir).empty());
  EXPECT_FALSE(file_exists(emulator.options.state_dir + "/token"));
}

TEST(EmulatorWorkers, AKilledEmulatorLeavesNoProcess) {
  RunningEmulator emulator;
  NEEDS_NAMESPACES(emulator);
  const std::string job = unique_sleep();
  emulator.create("q", 2);
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  emulator.ssh("127.1.1.2", fmt::format("setsid {} </dev/null >/dev/null 2>&1 &", job));
  ASSERT_TRUE(eventually([&] { return !processes_with(job).empty(); }));
  ::kill(emulator.pid(), SIGKILL);
  EXPECT_TRUE(eventually(
      [&] { return processes_with(job).empty() && processes_with(emulator.options.state_dir).empty(); }));
  EXPECT_EQ(exports_of(emulator.options.state_dir).error().code(), ErrorCode::kNotFound);
  // The next one in the same folder begins with nothing.
  ASSERT_TRUE(start_detached(emulator.options).ok());
  EXPECT_FALSE(file_exists(emulator.options.state_dir + "/workers/127.1.0.1"));
}

TEST(EmulatorWorkers, SixtyFourAreUpWithinFiveSeconds) {
  RunningEmulator emulator{std::chrono::milliseconds(0)};
  const auto begin = std::chrono::steady_clock::now();
  emulator.create("q", 1, "v4-512");
  ASSERT_TRUE(emulator.becomes("q", "ACTIVE"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("64 workers were up after %.2f s\n", took.count());
  EXPECT_EQ(emulator.get("nodes/q-0")["networkEndpoints"].size(), 64U);
  EXPECT_LT(took.count(), 10.0) << "5 s on a quiet machine";
}

}  // namespace
}  // namespace slipway::emulator
