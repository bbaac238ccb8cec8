#include "slipway/ssh/jump_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "support/processes.h"
#include "unit/ssh/session_test.h"

namespace slipway::test {
namespace {

using ssh::JumpHost;
using ssh::parse_jump_address;
using ::testing::HasSubstr;

TEST(JumpAddress, IsUserHostAndPort) {
  const auto whole = parse_jump_address("me@bastion.example:2222");
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->user, "me");
  EXPECT_EQ(whole->host, "bastion.example");
  EXPECT_EQ(whole->port, 2222);
  EXPECT_EQ(parse_jump_address("bastion")->port, 0);
  EXPECT_EQ(parse_jump_address("me@[::1]:22")->host, "::1");
}

TEST(JumpAddress, ThatSshWouldMisreadIsRefused) {
  for (const char* bad : {"", "@", "me@", "-oProxyCommand=x", "me@-x", "a b", "me@h:0", "me@h:70000",
                          "me@h:x", "me@[::1", "-l@h", "h;x", "me@1:2:3"}) {
    EXPECT_EQ(parse_jump_address(bad).error().code(), ErrorCode::kUsage) << bad;
  }
}

class JumpHostTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    if (::access("/usr/bin/ssh", X_OK) != 0) GTEST_SKIP() << "no OpenSSH client is installed";
  }
  std::vector<std::string> words(const Sshd& jump) const {
    ssh::JumpAddress address;
    address.user = Sshd::user();
    address.host = Sshd::address();
    address.port = jump.port();
    return ssh::jump_words(address, jump.key_path(), folder_ / "known_hosts", ssh::UnknownHost::kAccept);
  }
  Result<std::unique_ptr<JumpHost>> open(const Sshd& jump) {
    return JumpHost::open(words(jump), std::chrono::seconds(20), clock_, interrupt_);
  }

  /// So many sessions through the jump host, all at the point where they wait for their commands.
  std::vector<std::unique_ptr<SessionDriver>> hold(const JumpHost& jump, int count) {
    std::vector<std::unique_ptr<SessionDriver>> drivers;
    for (int i = 0; i < count; ++i) {
      drivers.push_back(
          std::make_unique<SessionDriver>(jump.socket_to(Sshd::address(), sshd().port()), options()));
    }
    for (const auto& driver : drivers) EXPECT_TRUE(driver->until_held()) << end_of(*driver);
    return drivers;
  }

  TempFolder folder_;
  SystemClock clock_;
  Interrupt interrupt_;
};

TEST_F(JumpHostTest, ManySessionsShareItsOneConnection) {
  Sshd::Options narrow;
  narrow.config = {"MaxSessions 1"};  // it counts shells, and these are none
  const Sshd bastion(narrow);
  const auto jump = open(bastion);
  ASSERT_TRUE(jump.ok()) << jump.error().message() << jump.error().why();
  constexpr int kSessions = 64;
  const auto drivers = hold(**jump, kSessions);
  for (int i = 0; i < kSessions; ++i) {
    ssh::RemoteCommand command;
    command.text = "head -c 200000 /dev/zero | tr '\\0' x; exit " + std::to_string(i + 1);
    const auto wire = ssh::to_wire(command);
    drivers[static_cast<std::size_t>(i)]->session().release(
        std::make_shared<const std::string>(wire.exec_line), wire.input);
  }
  for (int i = 0; i < kSessions; ++i) {
    SessionDriver& driver = *drivers[static_cast<std::size_t>(i)];
    ASSERT_TRUE(driver.until_over());
    EXPECT_EQ(end_of(driver), "exit " + std::to_string(i + 1));
    EXPECT_EQ(driver.out.size(), 200'000U);
  }
  const std::string log = bastion.log();
  std::size_t logins = 0;
  for (std::size_t at = log.find("Accepted publickey"); at != std::string::npos;
       at = log.find("Accepted publickey", at + 1))
    ++logins;
  EXPECT_EQ(logins, 1U);
}

TEST_F(JumpHostTest, APortThatNobodyListensOnIsUnreachableInTheJumpHostsWords) {
  const Sshd bastion;
  const auto jump = open(bastion);
  ASSERT_TRUE(jump.ok());
  SessionDriver driver((*jump)->socket_to(Sshd::address(), free_port(Sshd::address())), options());
  ASSERT_TRUE(driver.until_over());
  ASSERT_TRUE(driver.failed);
  EXPECT_EQ(driver.failed->kind, ssh::Failed::Kind::kUnreachable);
  EXPECT_THAT(driver.failed->reason, HasSubstr("jump host"));
}

TEST_F(JumpHostTest, ThatLetsNobodyInIsAnErrorWithTheLineToTry) {
  const Sshd bastion;
  const Sshd stranger;
  auto line = words(bastion);
  for (std::string& word : line) word = word == bastion.key_path() ? stranger.key_path() : word;
  line.insert(line.begin() + 1, {"-o", "IdentitiesOnly=yes"});
  const auto jump = JumpHost::open(line, std::chrono::seconds(20), clock_, interrupt_);
  ASSERT_FALSE(jump.ok());
  EXPECT_EQ(jump.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(jump.error().next(), HasSubstr("ssh "));
}

TEST_F(JumpHostTest, ThatGoesAwayLosesWhatRanAndWhatDidNotRunIsUnreachable) {
  const Sshd bastion;
  const auto jump = open(bastion);
  ASSERT_TRUE(jump.ok());
  const auto drivers = hold(**jump, 4);
  ssh::RemoteCommand command;
  command.text = "echo runs; exec sleep 600";
  const auto wire = ssh::to_wire(command);
  for (int i = 0; i < 2; ++i) {
    SessionDriver& driver = *drivers[static_cast<std::size_t>(i)];
    driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
    ASSERT_TRUE(driver.until([&] { return driver.out == "runs\n"; }));
  }
  for (const pid_t connection : bastion.connections()) ::kill(connection, SIGKILL);
  for (std::size_t i = 0; i < drivers.size(); ++i) {
    ASSERT_TRUE(drivers[i]->until_over()) << i;
    ASSERT_TRUE(drivers[i]->failed) << end_of(*drivers[i]);
    EXPECT_EQ(drivers[i]->failed->kind, i < 2 ? ssh::Failed::Kind::kLost : ssh::Failed::Kind::kUnreachable);
    EXPECT_EQ(drivers[i]->failed->started, i < 2);
  }
  SessionDriver late((*jump)->socket_to(Sshd::address(), sshd().port()), options());
  ASSERT_TRUE(late.until_over());
  ASSERT_TRUE(late.failed);
  EXPECT_EQ(late.failed->kind, ssh::Failed::Kind::kUnreachable);
  EXPECT_THAT(late.failed->reason, HasSubstr("jump host"));
}

TEST_F(JumpHostTest, ThatStandsStillIsFoundByTheSilenceOfItsWorkers) {
  const Sshd bastion;
  const auto jump = open(bastion);
  ASSERT_TRUE(jump.ok());
  auto quick = options();
  quick.limits.silence = std::chrono::milliseconds(600);
  SessionDriver driver((*jump)->socket_to(Sshd::address(), sshd().port()), quick);
  ASSERT_TRUE(driver.until_held()) << end_of(driver);
  ssh::RemoteCommand command;
  command.text = "echo runs; exec sleep 600";
  const auto wire = ssh::to_wire(command);
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until([&] { return driver.out == "runs\n"; }));
  const std::vector<pid_t> connections = bastion.connections();
  for (const pid_t connection : connections) ::kill(connection, SIGSTOP);
  EXPECT_TRUE(driver.until_over());
  EXPECT_TRUE(driver.failed && driver.failed->kind == ssh::Failed::Kind::kLost) << end_of(driver);
  quick.limits.handshake = std::chrono::milliseconds(300);
  SessionDriver late((*jump)->socket_to(Sshd::address(), sshd().port()), quick);
  EXPECT_TRUE(late.until_over());
  EXPECT_TRUE(late.failed && late.failed->kind == ssh::Failed::Kind::kTimedOut) << end_of(late);
  for (const pid_t connection : connections) ::kill(connection, SIGKILL);
}

TEST_F(JumpHostTest, LeavesNoProcessAndNoFolderBehind) {
  const Sshd bastion;
  auto jump = open(bastion);
  ASSERT_TRUE(jump.ok());
  std::vector<pid_t> masters;
  for (const pid_t child : children_of(::getpid())) masters.push_back(child);
  EXPECT_GE(masters.size(), 3U) << "two servers and the way to one of them";
  jump->reset();
  EXPECT_EQ(children_of(::getpid()).size(), masters.size() - 1);
}

TEST_F(JumpHostTest, ThatNoFileKnowsIsRefusedWhereThatIsAskedFor) {
  const Sshd bastion;
  ssh::JumpAddress address{Sshd::user(), Sshd::address(), bastion.port()};
  const auto line =
      ssh::jump_words(address, bastion.key_path(), folder_ / "nobody", ssh::UnknownHost::kRefuse);
  EXPECT_FALSE(JumpHost::open(line, std::chrono::seconds(20), clock_, interrupt_).ok());
}

TEST_F(JumpHostTest, ThatIsSilentMeetsTheDeadline) {
  const Sshd bastion;
  const std::vector<std::string> silent{"sh", "-c", "exec sleep 600", "jump-host"};
  const auto jump = JumpHost::open(silent, std::chrono::milliseconds(100), clock_, interrupt_);
  ASSERT_FALSE(jump.ok());
  EXPECT_EQ(jump.error().code(), ErrorCode::kUnavailable);
}

TEST_F(JumpHostTest, WhoseKeyChangedIsNotTrusted) {
  const Sshd bastion;
  ASSERT_TRUE(open(bastion).ok()) << "accepted at first contact";
  const std::string change =
      "sed -i 's/ssh-ed25519 .*/ssh-ed25519 "
      "AAAAC3NzaC1lZDI1NTE5AAAAIGFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh/' " +
      (folder_ / "known_hosts");
  ASSERT_EQ(std::system(change.c_str()), 0);
  EXPECT_FALSE(open(bastion).ok());
}

}  // namespace
}  // namespace slipway::test
