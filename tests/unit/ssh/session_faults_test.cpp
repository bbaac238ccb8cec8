#include <arpa/inet.h>
#include <sys/socket.h>

#include <map>

#include "support/faulty_socket.h"
#include "unit/ssh/session_test.h"

// A connection that fails, at every point where it can.
namespace slipway::test {
namespace {

using ssh::Done;
using ssh::Failed;
using ssh::Phase;
using ssh::Want;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

using Fault = FaultySocket::Fault;

class SessionFaults : public SessionTest {
 protected:
  struct Faulty {
    std::unique_ptr<SessionDriver> driver;
    std::shared_ptr<FaultySocket::View> view = std::make_shared<FaultySocket::View>();
  };
  /// A session that runs a short command over a socket that goes wrong after `after` received bytes.
  Faulty faulty(Fault fault, std::size_t after) {
    Faulty made;
    FaultySocket::Plan plan;
    plan.fault = fault;
    plan.after = after;
    made.driver = std::make_unique<SessionDriver>(
        std::make_unique<FaultySocket>(socket(sshd()), plan, made.view), options());
    const auto wire = ssh::to_wire({ssh::RemoteCommand::Kind::kShell, "echo hi; exit 3", {}, true});
    made.driver->session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
    return made;
  }
  /// The bytes that a whole session receives.
  std::size_t whole_session() {
    const Faulty whole = faulty(Fault::kNone, 0);
    EXPECT_TRUE(whole.driver->until_over());
    EXPECT_EQ(end_of(*whole.driver), "exit 3");
    return whole.view->received;
  }

  /// One right end for a session whose connection broke: before the exec request nothing started; after it,
  /// lost; success only with everything seen.
  static void expect_honest_end(const SessionDriver& driver, std::size_t after) {
    SCOPED_TRACE("after " + std::to_string(after) + " bytes: " + end_of(driver));
    ASSERT_TRUE(driver.over());
    if (driver.done) {
      EXPECT_EQ(end_of(driver), "exit 3");
      EXPECT_EQ(driver.out, "hi\n");
      return;
    }
    const Failed& failed = *driver.failed;
    EXPECT_FALSE(failed.reason.empty());
    EXPECT_EQ(failed.started, failed.phase == Phase::kExec || failed.phase == Phase::kRun);
    EXPECT_EQ(failed.started, failed.kind == Failed::Kind::kLost);
  }
};

TEST_F(SessionFaults, AConnectionCutAtAnyByteEndsHonestly) {
  const std::size_t whole = whole_session();
  std::map<Phase, int> seen;
  for (std::size_t after = 0; after < whole; after += 29) {
    const Faulty cut = faulty(after % 2 == 0 ? Fault::kEnd : Fault::kReset, after);
    cut.driver->until_over();
    expect_honest_end(*cut.driver, after);
    if (cut.driver->failed) ++seen[cut.driver->failed->phase];
  }
  for (const Phase phase : {Phase::kHandshake, Phase::kAuth, Phase::kRun})
    EXPECT_GT(seen[phase], 0) << ssh::to_string(phase);
}

TEST_F(SessionFaults, ABitTurnedOverAtAnyByteIsNoticed) {
  const std::size_t whole = whole_session();
  for (std::size_t after = 45; after < whole; after += 173) {
    const Faulty flipped = faulty(Fault::kFlip, after);
    flipped.driver->until_over(2s);
    // A flip in a length makes it wait for bytes that never come: then its deadline ends it.
    if (!flipped.driver->over()) continue;
    EXPECT_TRUE(flipped.driver->failed || end_of(*flipped.driver) == "exit 3") << end_of(*flipped.driver);
  }
}

TEST_F(SessionFaults, APeerThatStallsAtAnyByteMeetsThatPhasesDeadline) {
  const std::size_t whole = whole_session();
  std::map<Phase, int> seen;
  for (std::size_t after = 0; after < whole; after += 31) {
    const Faulty stalled = faulty(Fault::kStall, after);
    stalled.driver->until([&] { return stalled.view->fault_came; });
    if (stalled.driver->over()) continue;
    const Phase phase = stalled.driver->session().phase();
    ++seen[phase];
    if (phase == Phase::kRun) continue;
    const auto limit = phase == Phase::kExec || phase == Phase::kOpen ? 10s : 20s;
    auto answer = stalled.driver->session().advance(BootClock::now() + limit - 5s);
    ASSERT_TRUE(std::holds_alternative<Want>(answer)) << ssh::to_string(phase);
    answer = stalled.driver->session().advance(BootClock::now() + limit);
    ASSERT_TRUE(std::holds_alternative<Failed>(answer)) << ssh::to_string(phase);
    const Failed& failed = std::get<Failed>(answer);
    EXPECT_EQ(failed.kind, phase == Phase::kExec ? Failed::Kind::kLost : Failed::Kind::kTimedOut);
    EXPECT_EQ(failed.phase, phase);
    EXPECT_EQ(failed.started, phase == Phase::kExec);
  }
  for (const Phase phase : {Phase::kHandshake, Phase::kAuth, Phase::kRun})
    EXPECT_GT(seen[phase], 0) << ssh::to_string(phase);
}

TEST_F(SessionFaults, ASessionMayBeDroppedAtAnyPoint) {
  const std::size_t whole = whole_session();
  for (std::size_t after = 0; after < whole; after += 211) {
    const Faulty dropped = faulty(Fault::kStall, after);
    dropped.driver->until([&] { return dropped.view->fault_came; });
  }
}

TEST_F(SessionFaults, AConnectionThatDiesWhileHeldIsNoticedAndNothingStarted) {
  const auto held = driver();
  ASSERT_TRUE(held->until_held());
  ::shutdown(held->session().fd(), SHUT_RDWR);
  ASSERT_TRUE(held->until_over());
  EXPECT_EQ(held->failed->kind, Failed::Kind::kUnreachable);
  EXPECT_EQ(held->failed->phase, Phase::kHeld);
  EXPECT_FALSE(held->failed->started);
}

/// A listener that accepts and says one thing, or nothing.
class Listener {
 public:
  explicit Listener(std::string says)
      : says_(std::move(says)), fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    ::inet_pton(AF_INET, "127.9.8.6", &where.sin_addr);
    ::bind(fd_.get(), reinterpret_cast<sockaddr*>(&where), sizeof(where));
    ::listen(fd_.get(), 8);
    socklen_t size = sizeof(where);
    ::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&where), &size);
    port_ = ntohs(where.sin_port);
  }
  std::unique_ptr<ssh::Socket> dial() const { return std::make_unique<ssh::TcpSocket>("127.9.8.6", port_); }
  void answer() {
    peer_.reset(::accept(fd_.get(), nullptr, nullptr));
    ::send(peer_.get(), says_.data(), says_.size(), MSG_NOSIGNAL);
  }
  void hang_up() { peer_.reset(); }

 private:
  std::string says_;
  Fd fd_;
  Fd peer_;
  int port_ = 0;
};

TEST_F(SessionFaults, AServerThatSaysNothingMeetsTheDeadlineOfTheHandshake) {
  Listener silent("");
  auto quick = options();
  quick.limits.handshake = 100ms;
  SessionDriver driver(silent.dial(), quick);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kTimedOut);
  EXPECT_EQ(driver.failed->phase, Phase::kHandshake);
}

TEST_F(SessionFaults, AServerThatTalksForEverWithoutABannerMeetsItTooAndIsNotKept) {
  Listener chatty(std::string(1'000'000, 'x') + "\n");
  auto quick = options();
  quick.limits.handshake = 300ms;
  SessionDriver driver(chatty.dial(), quick);
  driver.until([&] { return driver.session().phase() == Phase::kHandshake; });
  chatty.answer();
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->phase, Phase::kHandshake);
}

TEST_F(SessionFaults, AServerThatHangsUpFirstIsUnreachable) {
  Listener rude("");
  SessionDriver driver(rude.dial(), options());
  driver.until([&] { return driver.session().phase() == Phase::kHandshake; });
  rude.answer();
  rude.hang_up();
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kUnreachable);
  EXPECT_THAT(driver.failed->reason, HasSubstr("before it said a word"));
}

/// A socket whose connect() answers as it is told, without a network.
class ScriptedSocket final : public ssh::Socket {
 public:
  ScriptedSocket(int begins, int result) : begins_(begins), result_(result) {}
  int connect() override { return begins_; }
  int connect_result() override { return result_; }
  ssize_t send(const void*, std::size_t) override { return -EPIPE; }
  ssize_t receive(void*, std::size_t) override { return -EAGAIN; }
  int fd() const override { return -1; }

 private:
  int begins_;
  int result_;
};

TEST_F(SessionFaults, ConnectSaysWhyItFailed) {
  SessionDriver refused(std::make_unique<ScriptedSocket>(0, ECONNREFUSED), options());
  ASSERT_TRUE(refused.until_over());
  EXPECT_EQ(refused.failed->kind, Failed::Kind::kUnreachable);
  EXPECT_EQ(refused.failed->phase, Phase::kConnect);
  EXPECT_EQ(refused.failed->reason, "Connection refused");

  SessionDriver no_route(std::make_unique<ScriptedSocket>(ENETUNREACH, 0), options());
  ASSERT_TRUE(no_route.until_over());
  EXPECT_EQ(no_route.failed->reason, "Network is unreachable");
}

TEST_F(SessionFaults, ConnectHasADeadlineThatBeginsWithTheFirstTurn) {
  ssh::Session session(std::make_unique<ScriptedSocket>(0, EINPROGRESS), options(), [](auto, auto) {});
  const Clock::time_point start{1h};
  auto answer = session.advance(start);
  ASSERT_TRUE(std::holds_alternative<Want>(answer));
  EXPECT_TRUE(std::get<Want>(answer).write);
  EXPECT_EQ(std::get<Want>(answer).until, start + 10s);
  EXPECT_TRUE(std::holds_alternative<Want>(session.advance(start + 9'999ms)));
  answer = session.advance(start + 10s);
  ASSERT_TRUE(std::holds_alternative<Failed>(answer));
  EXPECT_EQ(std::get<Failed>(answer).kind, Failed::Kind::kTimedOut);
}

TEST_F(SessionFaults, ANameIsNoAddress) {
  SessionDriver driver(std::make_unique<ssh::TcpSocket>("localhost", 22), options());
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->phase, Phase::kConnect);
}

}  // namespace
}  // namespace slipway::test
