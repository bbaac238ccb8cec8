// A run whose sessions all go through one jump host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "slipway/core/interrupt.h"
#include "slipway/ssh/jump_host.h"
#include "unit/fleet/bed.h"
#include "unit/fleet/recorder.h"

namespace slipway::test {
namespace {

using fleet::OutcomeKind;
using std::chrono::seconds;

class JumpHostRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Sshd::installed() || ::access("/usr/bin/ssh", X_OK) != 0) GTEST_SKIP() << "OpenSSH is not installed";
  }
  std::unique_ptr<ssh::JumpHost> open() {
    const std::vector<std::string> words =
        ssh::jump_words({Sshd::user(), Sshd::address(), bastion_.port()}, bastion_.key_path(),
                        folder_ / "known_hosts", ssh::UnknownHost::kAccept);
    auto jump = ssh::JumpHost::open(words, seconds(60), clock_, interrupt_);
    return jump.ok() ? std::move(jump).value() : nullptr;
  }
  std::vector<fleet::Outcome> run(const ssh::JumpHost& jump, const std::vector<fleet::Target>& targets,
                                  const std::string& command) {
    fleet::FanOutOptions options = bed_.options();
    options.limits.connect = seconds(60);
    options.make_socket = [&](std::size_t i) { return jump.socket_to(targets[i].address, targets[i].port); };
    return fleet::fan_out(
               targets, [&](std::size_t) { return ssh::RemoteCommand{.text = command}; }, options, clock_,
               interrupt_, recorder_)
        .value();
  }

  Bed bed_;
  Sshd bastion_;
  TempFolder folder_;
  SystemClock clock_;
  Interrupt interrupt_;
  Recorder recorder_;
};

TEST_F(JumpHostRun, ManyWorkersThatWaitForEachOtherShareItsOneConnection) {
  const auto jump = open();
  ASSERT_TRUE(jump);
  const auto targets = bed_.targets(8, 12);
  const std::string mark = "mktemp -p " + bed_.folder() + "/marks mark.XXXXXX >/dev/null; ";
  const std::string wait = "while [ $(ls " + bed_.folder() + "/marks | wc -l) -lt 96 ]; do sleep 0.5; done";
  for (const fleet::Outcome& outcome : run(*jump, targets, mark + wait))
    EXPECT_EQ(outcome.kind, OutcomeKind::kOk) << outcome.error;
  EXPECT_EQ(bastion_.connections().size(), 1U);
}

TEST_F(JumpHostRun, WhatRanWhenItDiedIsLostAndIsNotRunAgain) {
  const auto jump = open();
  ASSERT_TRUE(jump);
  const auto targets = bed_.targets(2, 4);
  std::size_t running = 0;
  recorder_.phase_hook = [&](std::size_t, ssh::Phase phase) {
    if (phase != ssh::Phase::kRun || ++running < targets.size()) return;
    for (const pid_t connection : bastion_.connections()) ::kill(connection, SIGKILL);
  };
  const std::string mark = "mktemp -p " + bed_.folder() + "/marks mark.XXXXXX >/dev/null; ";
  const auto outcomes = run(*jump, targets, mark + "exec sleep 600");
  for (const fleet::Outcome& outcome : outcomes) EXPECT_EQ(outcome.kind, OutcomeKind::kLost) << outcome.error;
  EXPECT_LE(bed_.count("marks"), static_cast<std::ptrdiff_t>(targets.size()));
  const auto deadline = clock_.now() + seconds(30);
  while (jump->is_alive() && clock_.now() < deadline) ::poll(nullptr, 0, 5);
  EXPECT_FALSE(jump->is_alive());
}

}  // namespace
}  // namespace slipway::test
