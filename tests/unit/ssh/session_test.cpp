#include "unit/ssh/session_test.h"

#include <poll.h>
#include <signal.h>

#include <fstream>

#include "support/faulty_socket.h"

// Who is let in, what is agreed on and how a session ends, against real servers.
namespace slipway::test {
namespace {

using ssh::Failed;
using ssh::Phase;
using ::testing::HasSubstr;
using ::testing::Not;

class SessionAgainst : public SessionTest {};

TEST_F(SessionAgainst, AServerHoldsWithItsChannelOpenUntilItIsReleased) {
  const auto held = driver();
  ASSERT_TRUE(held->until_held()) << end_of(*held);
  EXPECT_FALSE(held->session().started());
  const auto wire = ssh::to_wire({ssh::RemoteCommand::Kind::kShell, "echo go", {}, true});
  held->session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(held->until_over());
  EXPECT_EQ(held->out, "go\n");
  EXPECT_EQ(held->session().phase(), Phase::kClosed);
}

TEST_F(SessionAgainst, AWorkerWithoutPinsIsNotEvenConnectedTo) {
  auto none = options();
  none.pins.clear();
  SessionDriver driver(socket(sshd()), none);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kHostKey);
  EXPECT_EQ(driver.session().fd(), -1);
}

TEST_F(SessionAgainst, AStrangersKeyIsAskedAboutOnceAndBeforeTheLogin) {
  std::vector<ssh::HostKey> shown;
  auto strangers = options();
  strangers.pins.clear();
  strangers.accept_host_key = [&](const ssh::HostKey& key) {
    shown.push_back(key);
    return true;
  };
  SessionDriver driver(socket(sshd()), strangers);
  ASSERT_TRUE(driver.until_held()) << end_of(driver);
  EXPECT_EQ(shown, sshd().pins());
}

TEST_F(SessionAgainst, AStrangersKeyThatIsNotAcceptedEndsItBeforeTheLogin) {
  auto strangers = options();
  strangers.pins.clear();
  strangers.accept_host_key = [](const ssh::HostKey&) { return false; };
  SessionDriver driver(socket(sshd()), strangers);
  ASSERT_TRUE(driver.until_over());
  ASSERT_TRUE(driver.failed);
  EXPECT_EQ(driver.failed->kind, ssh::Failed::Kind::kHostKey);
  EXPECT_EQ(driver.failed->phase, ssh::Phase::kHostKey);
  EXPECT_THAT(driver.failed->reason, HasSubstr(sshd().pins()[0].fingerprint()));
}

TEST_F(SessionAgainst, WhereThereArePinsNobodyIsAsked) {
  const Sshd impostor;
  auto pinned = options(impostor);
  pinned.pins = sshd().pins();
  pinned.accept_host_key = [](const ssh::HostKey&) { return true; };
  SessionDriver driver(socket(impostor), pinned);
  ASSERT_TRUE(driver.until_over());
  ASSERT_TRUE(driver.failed);
  EXPECT_EQ(driver.failed->kind, ssh::Failed::Kind::kHostKey);
}

TEST_F(SessionAgainst, AnotherHostKeyIsRefusedBeforeAnyLoginAndBothAreNamed) {
  const Sshd impostor;
  auto mine = options(impostor);
  mine.pins = sshd().pins();
  SessionDriver driver(socket(impostor), mine);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kHostKey);
  EXPECT_EQ(driver.failed->phase, Phase::kHostKey);
  EXPECT_FALSE(driver.failed->started);
  EXPECT_THAT(driver.failed->reason, HasSubstr(impostor.pins()[0].fingerprint()));
  EXPECT_THAT(driver.failed->reason, HasSubstr(sshd().pins()[0].fingerprint()));
  EXPECT_THAT(impostor.log(), Not(HasSubstr("userauth-request")));
}

TEST_F(SessionAgainst, AHostKeyOfAnotherTypeIsAHostKeyProblemToo) {
  Sshd::Options other;
  other.host_key_type = "ecdsa";
  const Sshd impostor(other);
  auto mine = options(impostor);
  mine.pins = sshd().pins();
  SessionDriver driver(socket(impostor), mine);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kHostKey);
  EXPECT_EQ(driver.failed->phase, Phase::kHostKey);
  EXPECT_THAT(driver.failed->reason, HasSubstr("ecdsa-sha2-nistp256"));
  EXPECT_THAT(impostor.log(), Not(HasSubstr("userauth-request")));
}

TEST_F(SessionAgainst, OneOfSeveralPinsIsEnough) {
  auto several = options();
  several.pins.insert(several.pins.begin(), ssh::HostKey{"ssh-ed25519", "another key"});
  SessionDriver driver(socket(sshd()), several);
  EXPECT_TRUE(driver.until_held()) << end_of(driver);
}

TEST_F(SessionAgainst, AKeyThatTheWorkerDoesNotKnowIsAnAuthFailure) {
  const TempFolder folder;
  make_key(folder / "other", "ed25519", "", false);
  const auto stranger = ssh::Identity::load(folder / "other");
  ASSERT_TRUE(stranger.ok());
  auto with_other_key = options();
  with_other_key.identity = &*stranger;
  SessionDriver driver(socket(sshd()), with_other_key);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kAuth);
  EXPECT_EQ(driver.failed->phase, Phase::kAuth);
  EXPECT_THAT(driver.failed->reason, HasSubstr(folder / "other"));
}

TEST_F(SessionAgainst, AServerThatDisconnectsInsteadOfRefusingTheKeyIsAnAuthFailureToo) {
  const TempFolder folder;
  make_key(folder / "other", "ed25519", "", false);
  const auto stranger = ssh::Identity::load(folder / "other");
  ASSERT_TRUE(stranger.ok());
  Sshd::Options strict;
  strict.config = {"MaxAuthTries 1"};
  const Sshd server(strict);
  auto with_other_key = options(server);
  with_other_key.identity = &*stranger;
  SessionDriver driver(socket(server), with_other_key);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kAuth);
  EXPECT_THAT(driver.failed->reason, HasSubstr("Too many authentication failures"));
}

TEST_F(SessionAgainst, WithoutAKeyNothingIsConnectedTo) {
  auto keyless = options();
  keyless.identity = nullptr;
  SessionDriver driver(socket(sshd()), keyless);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kAuth);
  EXPECT_EQ(driver.session().fd(), -1);
}

TEST_F(SessionAgainst, AServerWithOldCiphersOnlySaysWhich) {
  Sshd::Options old;
  old.config = {"Ciphers aes128-cbc"};
  const Sshd server(old);
  SessionDriver driver(socket(server), options(server));
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kProtocol);
  EXPECT_THAT(driver.failed->reason, HasSubstr("aes128-cbc"));
}

TEST_F(SessionAgainst, AServerThatOpensNoSessionIsUnreachableAndNothingStarted) {
  Sshd::Options none;
  none.config = {"MaxSessions 0"};
  const Sshd server(none);
  SessionDriver driver(socket(server), options(server));
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kUnreachable);
  EXPECT_EQ(driver.failed->phase, Phase::kOpen);
  EXPECT_FALSE(driver.failed->started);
}

struct KeyCase {
  const char* name;
  const char* type;
  const char* bits;
  bool pem;
  const char* host;
};

class SessionWithKey : public SessionTest, public ::testing::WithParamInterface<KeyCase> {};

TEST_P(SessionWithKey, LogsInAndRuns) {
  Sshd::Options kinds;
  kinds.key_type = GetParam().type;
  kinds.key_bits = GetParam().bits;
  kinds.pem = GetParam().pem;
  kinds.host_key_type = GetParam().host;
  const Sshd server(kinds);
  SessionDriver driver(socket(server), options(server));
  const auto wire = ssh::to_wire({ssh::RemoteCommand::Kind::kShell, "echo in", {}, true});
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(end_of(driver), "exit 0");
  EXPECT_EQ(driver.out, "in\n");
  EXPECT_THAT(server.log(), Not(HasSubstr("ssh-rsa not in")));
}

INSTANTIATE_TEST_SUITE_P(Kinds, SessionWithKey,
                         ::testing::Values(KeyCase{"RsaInOpensshFormat", "rsa", "3072", false, "rsa"},
                                           KeyCase{"RsaInPem", "rsa", "2048", true, "ed25519"},
                                           KeyCase{"Ecdsa256", "ecdsa", "256", false, "ecdsa"},
                                           KeyCase{"Ecdsa384InPem", "ecdsa", "384", true, "ed25519"},
                                           KeyCase{"Ecdsa521", "ecdsa", "521", false, "ed25519"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(SessionAgainst, AServerThatIsKilledInTheMiddleLosesTheCommand) {
  const auto driver = start("echo $$; sleep 30");
  ASSERT_TRUE(driver->until([&] { return driver->out.find('\n') != std::string::npos; }));
  const pid_t server = serving_sshd(std::stoi(driver->out));
  ASSERT_GT(server, 1);
  ::kill(server, SIGKILL);
  ASSERT_TRUE(driver->until_over());
  EXPECT_EQ(driver->failed->kind, Failed::Kind::kLost);
  EXPECT_TRUE(driver->failed->started);
  EXPECT_EQ(driver->failed->phase, Phase::kRun);
}

TEST_F(SessionAgainst, ACleanCloseWithoutAStatusIsLostAndNotSuccess) {
  Sshd::Options impatient;
  impatient.config = {"ChannelTimeout session:*=1s"};
  const Sshd server(impatient);
  SessionDriver driver(socket(server), options(server));
  const auto wire = ssh::to_wire({ssh::RemoteCommand::Kind::kShell, "echo up; sleep 30; exit 7", {}, true});
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until_over());
  ASSERT_TRUE(driver.failed) << end_of(driver);
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kLost);
}

TEST_F(SessionAgainst, AFrozenServerIsLostAfterTheLimitOfSilence) {
  auto quick = options();
  quick.limits.silence = std::chrono::milliseconds(900);
  SessionDriver driver(socket(sshd()), quick);
  const auto wire = ssh::to_wire({ssh::RemoteCommand::Kind::kShell, "echo $$; sleep 30", {}, true});
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until([&] { return driver.out.find('\n') != std::string::npos; }));
  // A second of silence with a server that answers is no loss.
  EXPECT_FALSE(driver.until_over(std::chrono::milliseconds(2'000))) << end_of(driver);
  const pid_t server = serving_sshd(std::stoi(driver.out));
  ::kill(server, SIGSTOP);
  EXPECT_TRUE(driver.until_over(std::chrono::seconds(5)));
  ::kill(server, SIGKILL);
  ASSERT_TRUE(driver.failed);
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kLost);
  EXPECT_THAT(driver.failed->reason, HasSubstr("stopped answering"));
}

TEST_F(SessionAgainst, AServerThatFreezesBeforeItWasEverAskedIsLostAllTheSame) {
  auto quick = options();
  quick.limits.silence = std::chrono::milliseconds(3'000);
  SessionDriver driver(socket(sshd()), quick);
  const auto wire = ssh::to_wire({ssh::RemoteCommand::Kind::kShell, "echo $$; sleep 30", {}, true});
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until([&] { return driver.out.find('\n') != std::string::npos; }));
  const pid_t server = serving_sshd(std::stoi(driver.out));
  ::kill(server, SIGSTOP);
  EXPECT_TRUE(driver.until_over(std::chrono::seconds(5)));
  ::kill(server, SIGKILL);
  ASSERT_TRUE(driver.failed);
  EXPECT_EQ(driver.failed->kind, Failed::Kind::kLost);
}

TEST_F(SessionAgainst, ACommandThatClosesItsOutputGoesOnAndItsEndIsSeen) {
  EXPECT_EQ(end_of(*run("exec >&- 2>&-; sleep 0.3; exit 8")), "exit 8");
}

TEST_F(SessionAgainst, AFloodComesWholeInTurnsAndInBoundedPieces) {
  const auto ran = run("head -c 20000000 /dev/zero; head -c 3000000 /dev/zero >&2");
  EXPECT_EQ(ran->out.size(), 20'000'000U);
  EXPECT_EQ(ran->err.size(), 3'000'000U);
  EXPECT_LE(ran->largest_piece, 16U << 10U);
  EXPECT_GE(ran->turns, 23'000'000U / (96U << 10U));
  EXPECT_EQ(end_of(*ran), "exit 0");
}

TEST_F(SessionAgainst, ABannerOfTheServersIsNeitherOutputNorAnObstacle) {
  const TempFolder folder;
  std::ofstream banner(folder / "banner");
  for (int i = 0; i < 200; ++i) banner << "Authorized use only \x1b[31m " << i << '\n';
  banner.close();
  Sshd::Options wordy;
  wordy.config = {"Banner " + (folder / "banner")};
  const Sshd server(wordy);
  SessionDriver driver(socket(server), options(server));
  ssh::RemoteCommand command;
  command.text = "echo out; exit 3";
  const auto wire = ssh::to_wire(command);
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(end_of(driver), "exit 3");
  EXPECT_EQ(driver.out, "out\n");
  EXPECT_EQ(driver.err, "");
}

TEST_F(SessionAgainst, AFloodSurvivesNewKeysInTheMiddle) {
  Sshd::Options often;
  often.config = {"RekeyLimit 1M"};
  const Sshd server(often);
  SessionDriver driver(socket(server), options(server));
  ssh::RemoteCommand command;
  command.text = "head -c 8000000 /dev/zero #" + std::string(100'000, 'x');
  const auto wire = ssh::to_wire(command);
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(end_of(driver), "exit 0");
  EXPECT_EQ(driver.out.size(), 8'000'000U);
  EXPECT_THAT(server.log(), HasSubstr("rekey"));
}

TEST_F(SessionAgainst, AReaderWhoStopsReadingHoldsTheCommandUpAndNothingGrows) {
  const auto driver = start("head -c 50000000 /dev/zero; exit 3");
  ASSERT_TRUE(driver->until([&] { return driver->out.size() > 1'000'000; }));
  const std::size_t before = driver->out.size();
  // Nobody calls advance(): then what one more turn delivers is at most a turn's budget and one buffer.
  driver->session().advance(BootClock::now());
  EXPECT_LE(driver->out.size() - before, (64U << 10U) + 2 * (16U << 10U));
  ASSERT_TRUE(driver->until_over());
  EXPECT_EQ(end_of(*driver), "exit 3");
  EXPECT_EQ(driver->out.size(), 50'000'000U);
}

TEST_F(SessionAgainst, AMegabyteOfInputArrivesWhileOutputComes) {
  ssh::RemoteCommand command;
  command.kind = ssh::RemoteCommand::Kind::kScript;
  command.text = "#!/bin/sh\nwc -c <\"$0\"\nexit 0\n" + std::string(1'000'000, '#');
  const auto ran = run(command);
  EXPECT_EQ(ran->out, std::to_string(command.text.size()) + "\n");
}

TEST_F(SessionAgainst, InputThatManySessionsShareArrivesWhole) {
  std::string input(3'000'000, 'i');
  input += "end\n";
  ssh::RemoteCommand command;
  command.text = "wc -c; exit 4";
  command.input = input;
  const auto wire = ssh::to_wire(command);
  SessionDriver driver(socket(sshd()), options());
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input,
                           wire.shared_input);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(end_of(driver), "exit 4");
  EXPECT_EQ(driver.out, std::to_string(input.size()) + "\n");
}

TEST_F(SessionAgainst, BytesOneAtATimeInBothDirectionsMakeNoDifference) {
  FaultySocket::Plan drip;
  drip.piece = 1;
  SessionDriver driver(
      std::make_unique<FaultySocket>(socket(sshd()), drip, std::make_shared<FaultySocket::View>()),
      options());
  const auto wire =
      ssh::to_wire({ssh::RemoteCommand::Kind::kShell, "echo out; echo err >&2; exit 3", {}, true});
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(end_of(driver), "exit 3");
  EXPECT_EQ(driver.out + driver.err, "out\nerr\n");
}

}  // namespace
}  // namespace slipway::test
