#include "slipway/ssh/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <thread>

#include "slipway/ssh/identity.h"
#include "ssh/wire.h"
#include "support/ssh_agent.h"
#include "unit/ssh/session_test.h"

namespace slipway::test {
namespace {

using ssh::Agent;
using ssh::Identity;
using ::testing::HasSubstr;

struct KeyCase {
  const char* type;
  const char* bits;
};

/// An identity that the agent holds as its only key.
Result<Identity> only_key(const SshAgent& agent) {
  TRY(Agent connection, Agent::connect(agent.path()));
  auto shared = std::make_shared<Agent>(std::move(connection));
  TRY(std::vector<ssh::AgentKey> keys, shared->keys());
  if (keys.size() != 1) return Error(ErrorCode::kFailed, "not one key");
  return Identity::in_agent(std::move(shared), std::move(keys.front()));
}

class AgentLogin : public ::testing::TestWithParam<KeyCase> {};

TEST_P(AgentLogin, WorksForManySessionsOverOneConnection) {
  if (!Sshd::installed() || !SshAgent::installed()) GTEST_SKIP() << "no OpenSSH is installed";
  const ssh::Library library;
  Sshd::Options options;
  options.key_type = GetParam().type;
  options.key_bits = GetParam().bits;
  const Sshd sshd(options);
  const SshAgent agent;
  agent.add(sshd.key_path());
  const auto identity = only_key(agent);
  ASSERT_TRUE(identity.ok()) << identity.error().message();
  EXPECT_EQ(identity->public_blob(), Identity::load(sshd.key_path())->public_blob());
  for (int i = 0; i < 3; ++i) {
    ssh::SessionOptions session;
    session.user = Sshd::user();
    session.pins = sshd.pins();
    session.identity = &*identity;
    SessionDriver driver(std::make_unique<ssh::TcpSocket>(Sshd::address(), sshd.port()), session);
    EXPECT_TRUE(driver.until_held()) << end_of(driver);
  }
  agent.remove_all();
  const auto refused = identity->sign(identity->type() == "ssh-rsa" ? "rsa-sha2-512" : identity->type(), "x");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("refused"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, AgentLogin,
                         ::testing::Values(KeyCase{"ed25519", ""}, KeyCase{"rsa", "3072"},
                                           KeyCase{"ecdsa", "256"}, KeyCase{"ecdsa", "521"}),
                         [](const auto& test) { return std::string(test.param.type) + test.param.bits; });

TEST(AgentConnection, ThatNobodyAnswersIsAUsageErrorWithTheWayToOne) {
  const TempFolder folder;
  for (const std::string& path : {std::string(), folder / "none", std::string(200, 'x')}) {
    const auto agent = Agent::connect(path);
    ASSERT_FALSE(agent.ok());
    EXPECT_EQ(agent.error().code(), ErrorCode::kUsage);
    EXPECT_THAT(agent.error().next(), HasSubstr("ssh-add"));
  }
}

/// Answers each request on one connection with the next of `answers`, raw, and then hangs up.
class FakeAgent {
 public:
  explicit FakeAgent(std::vector<std::string> answers) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
    listener_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_.get(), 1), 0);
    thread_ = std::thread([this, answers] {
      const Fd client(::accept(listener_.get(), nullptr, nullptr));
      char buffer[4096];
      for (const std::string& answer : answers) {
        if (::recv(client.get(), buffer, sizeof buffer, 0) <= 0) return;
        ::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
      }
    });
  }
  ~FakeAgent() { thread_.join(); }
  std::string path() const { return folder_ / "agent"; }

 private:
  TempFolder folder_;
  Fd listener_;
  std::thread thread_;
};

TEST(AgentConnection, HostileAnswersAreErrorsAndNeverACrash) {
  using ssh::wire_string;
  using ssh::wire_uint32;
  const std::vector<std::string> answers = {
      "",
      wire_uint32(0),
      wire_uint32(0xffffffff),
      wire_string("\x05"),
      wire_string(std::string("\x0c") + wire_uint32(0x7fffffff)),
      wire_string(std::string("\x0c") + wire_uint32(1) + wire_string("blob")),
      wire_uint32(100) + "short",
  };
  for (const std::string& answer : answers) {
    const FakeAgent fake({answer});
    auto agent = Agent::connect(fake.path());
    ASSERT_TRUE(agent.ok());
    const auto keys = agent->keys();
    EXPECT_FALSE(keys.ok());
  }
}

TEST(AgentConnection, ASignatureWithSha1IsNotTaken) {
  using ssh::wire_string;
  const FakeAgent fake(
      {wire_string("\x0e" + wire_string(wire_string("ssh-rsa") + wire_string("signature")))});
  auto agent = Agent::connect(fake.path());
  ASSERT_TRUE(agent.ok());
  const auto signature = agent->sign("blob", "rsa-sha2-512", "data");
  ASSERT_FALSE(signature.ok());
  EXPECT_THAT(signature.error().message(), HasSubstr("ssh-rsa"));
}

}  // namespace
}  // namespace slipway::test
