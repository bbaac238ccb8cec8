// emulator preempt, repair, fail, suspend, maintain, as a user of real workers sees them.
#include <gtest/gtest.h>

#include <csignal>

#include "e2e/slipway_user.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

class EmulatorIncident : public ::testing::Test {
 protected:
  Ended emulator(const std::string& words) const { return user.shell("slipway emulator " + words); }
  std::string node_state(const std::string& worker_row) const {
    return user.shell("slipway workers q --format value | sed -n " + worker_row + "p | cut -f5").out;
  }
  const EmulatorUser user;
};

TEST_F(EmulatorIncident, APreemptedSliceTakesWhatRunsOnItAndComesBackOnOtherMachines) {
  user.create_ready("q", 2);
  const std::string before = user.slipway({"workers", "q", "--format", "value"}).out;
  const auto running = user.start({"run", "q", "--command", "echo up; sleep 600", "--require", "any"});
  ASSERT_TRUE(running->read_until([](const std::string& out, const std::string&) {
    return split(out, '\n').size() == 5;  // four workers
  }));
  ASSERT_EQ(emulator("preempt q --node 1").code, 0);
  EXPECT_TRUE(running->read_until([](const std::string&, const std::string& err) {
    return err.find("q-1") != std::string::npos;
  })) << "its workers are lost";
  running->send(SIGINT);
  running->wait();
  EXPECT_EQ(node_state("3"), "PREEMPTED\n");
  EXPECT_EQ(user.slipway({"describe", "q", "--format", "value"}).out, "ACTIVE\n");

  ASSERT_EQ(emulator("repair q").code, 0);
  ASSERT_EQ(user.slipway({"wait", "q", "--for", "READY", "--timeout", "60s"}).code, 0);
  const std::string after = user.slipway({"workers", "q", "--format", "value"}).out;
  EXPECT_NE(after, before) << "another address";
  const Ended ran = user.slipway({"run", "q", "--command", "true"});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(EmulatorIncident, AFailureIsWhatTheWaitReports) {
  user.create_ready("q", 2);
  ASSERT_EQ(emulator("fail q --node 1 --code 8 --message 'There is no more capacity in the zone'").code, 0);
  const Ended waited = user.slipway({"wait", "q", "--for", "ACTIVE", "--timeout", "10s"});
  EXPECT_EQ(waited.code, 7) << waited.err;
  EXPECT_NE(waited.err.find("There is no more capacity in the zone"), std::string::npos) << waited.err;
}

TEST_F(EmulatorIncident, ASuspensionIsWhatTheWaitReports) {
  user.create_ready("q", 1);
  ASSERT_EQ(emulator("suspend q --initiator user").code, 0);
  const Ended waited = user.slipway({"wait", "q", "--for", "ACTIVE", "--timeout", "10s"});
  EXPECT_EQ(waited.code, 7) << waited.err;
  EXPECT_NE(waited.err.find("user"), std::string::npos) << waited.err;
  EXPECT_EQ(user.slipway({"wait", "q", "--for", "SUSPENDED", "--timeout", "60s"}).code, 0);
  EXPECT_EQ(user.slipway({"delete", "q", "--yes"}).code, 0) << "without --force";
}

TEST_F(EmulatorIncident, AMaintenanceEndsByItself) {
  user.create_ready("q", 1);
  ASSERT_EQ(emulator("maintain q --notice 0 --repair-after 300ms").code, 0);
  EXPECT_EQ(node_state("1"), "REPAIRING\n");
  EXPECT_EQ(user.slipway({"wait", "q", "--for", "READY", "--timeout", "60s"}).code, 0);
}

TEST_F(EmulatorIncident, WhatCannotBeIsSaid) {
  EXPECT_EQ(emulator("preempt none").code, 5);
  user.create_ready("q", 1);
  EXPECT_EQ(emulator("preempt q --node 7").code, 2);
  EXPECT_EQ(emulator("preempt q --worker 9").code, 2);
  EXPECT_EQ(emulator("repair q").code, 6) << "nothing is broken";
  EXPECT_EQ(emulator("suspend q --initiator nobody").code, 2);
  EXPECT_EQ(emulator("fail q --code 17").code, 2);
}

}  // namespace
}  // namespace slipway::test
