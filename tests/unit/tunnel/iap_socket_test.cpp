#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/err.h>

#include <random>

#include "slipway/tunnel/iap.h"
#include "support/iap_relay.h"
#include "unit/ssh/session_test.h"

namespace slipway::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using tunnel::find_iap_gateway;
using tunnel::IapGateway;
using tunnel::make_iap_socket;

class Iap : public SessionTest {
 protected:
  IapRelay::Options to_sshd() const {
    IapRelay::Options options;
    options.target = Sshd::address();
    options.target_port = sshd().port();
    return options;
  }
  static std::shared_ptr<const IapGateway> gateway(const IapRelay& relay, const std::string& ca_file) {
    auto found = find_iap_gateway(relay.url(), ca_file);
    EXPECT_TRUE(found.ok()) << found.error().message();
    auto gateway = std::make_shared<IapGateway>(std::move(found).value());
    gateway->project = "p-1";
    gateway->zone = "us-central2-b";
    gateway->user_agent = "slipway/test";
    gateway->token = [] { return Result<Secret>(Secret("ya29.token")); };
    return gateway;
  }
  std::unique_ptr<SessionDriver> driver(const IapRelay& relay) {
    return std::make_unique<SessionDriver>(
        make_iap_socket(gateway(relay, relay.ca_file()), "t1v-n-1-w-0", 22), options());
  }
  /// A command that says much, hears much, and ends with code 5.
  static void talk(SessionDriver& driver) {
    ssh::RemoteCommand command;
    command.text = "seq 60000; exit 5 #" + std::string(150'000, 'x');
    const auto wire = ssh::to_wire(command);
    driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  }
  static std::string sequence() {
    std::string text;
    for (int i = 1; i <= 60'000; ++i) text += std::to_string(i) + "\n";
    return text;
  }
};

TEST_F(Iap, CarriesAWholeSession) {
  const IapRelay relay(to_sshd());
  const auto tunnel = driver(relay);
  talk(*tunnel);
  ASSERT_TRUE(tunnel->until_over()) << "hangs";
  EXPECT_EQ(end_of(*tunnel), "exit 5");
  EXPECT_EQ(tunnel->out, sequence());
  const std::string request = relay.requests().at(0);
  EXPECT_THAT(request,
              HasSubstr("GET /v4/connect?project=p-1&port=22&newWebsocket=True&zone=us-central2-b&instance="
                        "t1v-n-1-w-0&interface=nic0 HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nAuthorization: Bearer ya29.token\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nOrigin: bot:iap-tunneler\r\n"));
}

TEST_F(Iap, MessagesInPiecesWithPingsInBetweenAreOneStream) {
  IapRelay::Options options = to_sshd();
  options.fragments = true;
  const IapRelay relay(options);
  const auto tunnel = driver(relay);
  talk(*tunnel);
  ASSERT_TRUE(tunnel->until_over());
  EXPECT_EQ(end_of(*tunnel), "exit 5");
  EXPECT_EQ(tunnel->out, sequence());
}

TEST_F(Iap, AConnectionThatBreaksIsTakenUpAgainWhereItStood) {
  IapRelay::Options options = to_sshd();
  options.cuts = {1'500, 40'000, 100'000};  // in the handshake, in the command, in its output
  const IapRelay relay(options);
  const auto tunnel = driver(relay);
  talk(*tunnel);
  ASSERT_TRUE(tunnel->until_over(std::chrono::seconds(40)));
  EXPECT_EQ(end_of(*tunnel), "exit 5");
  EXPECT_EQ(tunnel->out, sequence()) << "nothing is missing, nothing came twice";
  EXPECT_EQ(relay.reconnections(), 3U);
}

TEST_F(Iap, WhereverItBreaksTheStreamIsWholeAndManyTunnelsShareOneRelay) {
  IapRelay::Options options = to_sshd();
  // Behind the server's version line: so far the relay talks alone, and its name for the stream may be lost.
  for (std::size_t at = 100; at < 6'000; at += 250) options.cuts.push_back(at);
  const IapRelay relay(options);
  std::vector<std::unique_ptr<SessionDriver>> tunnels;
  for (std::size_t i = 0; i < options.cuts.size(); ++i) {
    tunnels.push_back(driver(relay));
    talk(*tunnels.back());
  }
  const auto deadline = BootClock::now() + std::chrono::seconds(90);
  for (bool going = true; going && BootClock::now() < deadline;) {
    going = false;
    for (const auto& tunnel : tunnels) going = !tunnel->until_over(std::chrono::milliseconds(5)) || going;
  }
  for (std::size_t i = 0; i < tunnels.size(); ++i) {
    EXPECT_EQ(end_of(*tunnels[i]), "exit 5") << i;
    EXPECT_EQ(tunnels[i]->out, sequence()) << i;
  }
  EXPECT_GE(relay.reconnections(), options.cuts.size() - 1);
}

TEST_F(Iap, ARelayThatTalksRubbishIsAnErrorAndNoHang) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::string noise(200'000, '\0');
  for (char& byte : noise) byte = static_cast<char>(random());
  // Whatever the seed, it begins with a frame that no server may send.
  const std::string data_before_its_name("\x82\x07\0\4\0\0\0\1x", 9);
  for (const std::string& rubbish : {"\xff" + noise, std::string("\x82\x83mask", 6), data_before_its_name}) {
    IapRelay::Options options = to_sshd();
    options.rubbish = rubbish;
    const IapRelay relay(options);
    const auto tunnel = driver(relay);
    ASSERT_TRUE(tunnel->until_over());
    ASSERT_TRUE(tunnel->failed);
    EXPECT_EQ(tunnel->failed->kind, ssh::Failed::Kind::kUnreachable);
    EXPECT_THAT(tunnel->failed->reason, ::testing::AnyOf(HasSubstr("no websocket"), HasSubstr("protocol")));
  }
}

TEST_F(Iap, ARelayThatSaysNothingMeetsTheDeadlineOfTheConnection) {
  IapRelay::Options options = to_sshd();
  options.rubbish = std::string("\x82", 1);  // the beginning of a frame, and no more
  const IapRelay relay(options);
  auto quick = this->options();
  quick.limits.connect = std::chrono::milliseconds(500);
  SessionDriver tunnel(make_iap_socket(gateway(relay, relay.ca_file()), "i", 22), quick);
  ASSERT_TRUE(tunnel.until_over());
  EXPECT_EQ(tunnel.failed->kind, ssh::Failed::Kind::kTimedOut);
}

TEST_F(Iap, WhileNothingIsSaidNothingIsDone) {
  const IapRelay relay(to_sshd());
  const auto tunnel = driver(relay);
  ssh::RemoteCommand command;
  command.text = "sleep 3; exit 5";
  const auto wire = ssh::to_wire(command);
  tunnel->session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(tunnel->until_over());
  EXPECT_EQ(end_of(*tunnel), "exit 5");
  EXPECT_LT(tunnel->turns, 300U);
}

TEST_F(Iap, ARelayThatWantsANewTokenGetsOneAndTheStreamGoesOn) {
  IapRelay::Options options = to_sshd();
  options.cuts = {1'500, 40'000};
  options.cut_code = 4004;
  const IapRelay relay(options);
  auto shared = std::make_shared<IapGateway>(*gateway(relay, relay.ca_file()));
  int asked = 0;
  shared->token = [&asked] { return Result<Secret>(Secret("token-" + std::to_string(++asked))); };
  SessionDriver tunnel(make_iap_socket(shared, "i", 22), this->options());
  talk(tunnel);
  ASSERT_TRUE(tunnel.until_over(std::chrono::seconds(40)));
  EXPECT_EQ(end_of(tunnel), "exit 5");
  EXPECT_EQ(tunnel.out, sequence());
  ASSERT_EQ(relay.requests().size(), 3U);
  EXPECT_THAT(relay.requests().at(2), HasSubstr("\r\nAuthorization: Bearer token-3\r\n"));
  EXPECT_THAT(relay.requests().at(2), HasSubstr("/v4/reconnect?sid=SID-0&ack="));
}

TEST_F(Iap, AnAddressOfTheRelayThatDoesNotAnswerIsFollowedByTheNext) {
  const IapRelay relay(to_sshd());
  auto shared = std::make_shared<IapGateway>(*gateway(relay, relay.ca_file()));
  shared->addresses = {"127.3.2.1", "127.0.0.1"};
  SessionDriver tunnel(make_iap_socket(shared, "i", 22), options());
  EXPECT_TRUE(tunnel.until_held()) << end_of(tunnel);
  shared->addresses = {"127.3.2.1", "127.3.2.2"};
  SessionDriver nowhere(make_iap_socket(shared, "i", 22), options());
  ASSERT_TRUE(nowhere.until_over());
  EXPECT_THAT(nowhere.failed->reason, HasSubstr("the relay: Connection refused"));
}

TEST_F(Iap, WhatOthersLeaveInOpensslsQueueOfErrorsIsNotTakenForTheTunnels) {
  const IapRelay relay(to_sshd());
  const auto tunnel = driver(relay);
  talk(*tunnel);
  ASSERT_TRUE(tunnel->until([&] {
    ERR_put_error(ERR_LIB_USER, 0, 1, "", 0);
    return tunnel->over();
  }));
  EXPECT_EQ(end_of(*tunnel), "exit 5");
  ERR_clear_error();
}

TEST_F(Iap, TheTokenIsInNoWordsThatAnybodySees) {
  for (const int status : {401, 403, 500}) {
    IapRelay::Options options = to_sshd();
    options.status = status;
    const IapRelay relay(options);
    const auto tunnel = driver(relay);
    ASSERT_TRUE(tunnel->until_over());
    ASSERT_TRUE(tunnel->failed);
    EXPECT_THAT(tunnel->failed->reason, Not(HasSubstr("ya29")));
  }
}

TEST_F(Iap, ARefusalIsOneOfTheLoginInItsOwnWords) {
  IapRelay::Options options = to_sshd();
  options.status = 403;
  const IapRelay relay(options);
  const auto tunnel = driver(relay);
  ASSERT_TRUE(tunnel->until_over());
  ASSERT_TRUE(tunnel->failed);
  EXPECT_EQ(tunnel->failed->kind, ssh::Failed::Kind::kAuth);
  EXPECT_THAT(tunnel->failed->reason, HasSubstr("403"));
}

TEST_F(Iap, APortThatItCannotReachNamesTheFirewall) {
  IapRelay::Options options = to_sshd();
  options.close_code = 4003;
  const IapRelay relay(options);
  const auto tunnel = driver(relay);
  ASSERT_TRUE(tunnel->until_over());
  ASSERT_TRUE(tunnel->failed);
  EXPECT_THAT(tunnel->failed->reason, HasSubstr("35.235.240.0/20"));
}

TEST_F(Iap, ARelayThatIsNotTheOneAskedForGetsNoToken) {
  const IapRelay relay(to_sshd());
  const IapRelay other(to_sshd());
  SessionDriver tunnel(make_iap_socket(gateway(relay, other.ca_file()), "i", 22), options());
  ASSERT_TRUE(tunnel.until_over());
  ASSERT_TRUE(tunnel.failed);
  EXPECT_THAT(tunnel.failed->reason, HasSubstr("certificate"));
  EXPECT_TRUE(relay.requests().empty());
}

TEST_F(Iap, TheEndOfTheMachinesServerIsTheEndOfTheStream) {
  const Sshd own;
  IapRelay::Options options;
  options.target = Sshd::address();
  options.target_port = own.port();
  const IapRelay relay(options);
  SessionDriver tunnel(make_iap_socket(gateway(relay, relay.ca_file()), "i", 22), this->options(own));
  ssh::RemoteCommand command;
  command.text = "kill -9 $PPID; kill -9 $(ps -o ppid= -p $PPID)";
  const auto wire = ssh::to_wire(command);
  tunnel.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(tunnel.until_over());
}

TEST(IapGateway, WhatIsNoAddressOfARelayIsAUsageError) {
  for (const char* url :
       {"https://tunnel.cloudproxy.app/v4", "tunnel.cloudproxy.app", "wss://user@host/v4", ""}) {
    EXPECT_EQ(find_iap_gateway(url, "").error().code(), ErrorCode::kUsage) << url;
  }
}

}  // namespace
}  // namespace slipway::test
