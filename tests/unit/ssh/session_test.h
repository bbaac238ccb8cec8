#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "slipway/ssh/remote_command.h"
#include "slipway/ssh/session.h"
#include "support/session_driver.h"
#include "support/sshd.h"

namespace slipway::test {

/// A private server, the key for it, and sessions to it. One server for all tests of a suite: sshd starts
/// slowly.
class SessionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (Sshd::installed()) shared_ = std::make_unique<Sshd>();
  }
  static void TearDownTestSuite() { shared_.reset(); }
  void SetUp() override {
    if (!shared_) GTEST_SKIP() << "no OpenSSH server is installed";
  }

  static Sshd& sshd() { return *shared_; }

  ssh::SessionOptions options(const Sshd& server) {
    if (!identity_) identity_.emplace(ssh::Identity::load(server.key_path()).value());
    ssh::SessionOptions options;
    options.user = Sshd::user();
    options.pins = server.pins();
    options.identity = &*identity_;
    return options;
  }
  ssh::SessionOptions options() { return options(*shared_); }

  static std::unique_ptr<ssh::Socket> socket(const Sshd& server) {
    return std::make_unique<ssh::TcpSocket>(Sshd::address(), server.port());
  }

  std::unique_ptr<SessionDriver> driver() {
    return std::make_unique<SessionDriver>(socket(*shared_), options());
  }

  /// A session to the shared server that runs `command` from the start.
  std::unique_ptr<SessionDriver> start(const ssh::RemoteCommand& command) {
    auto started = driver();
    auto wire = ssh::to_wire(command);
    started->session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
    return started;
  }
  std::unique_ptr<SessionDriver> start(const std::string& text) {
    ssh::RemoteCommand command;
    command.text = text;
    return start(command);
  }
  std::unique_ptr<SessionDriver> run(const ssh::RemoteCommand& command) {
    auto ran = start(command);
    EXPECT_TRUE(ran->until_over());
    return ran;
  }
  std::unique_ptr<SessionDriver> run(const std::string& text) {
    auto ran = start(text);
    EXPECT_TRUE(ran->until_over());
    return ran;
  }

  ssh::Library library_;
  std::optional<ssh::Identity> identity_;

 private:
  static inline std::unique_ptr<Sshd> shared_;
};

/// "exit 3", "signal KILL", or "failed: <reason>".
inline std::string end_of(const SessionDriver& driver) {
  if (driver.done) {
    const ssh::RemoteExit& exit = driver.done->exit;
    return exit.kind == ssh::RemoteExit::Kind::kCode ? "exit " + std::to_string(exit.code)
                                                     : "signal " + exit.signal;
  }
  return driver.failed ? "failed: " + driver.failed->reason : "still going";
}

}  // namespace slipway::test
