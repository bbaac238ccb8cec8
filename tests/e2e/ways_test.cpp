// The ways to a worker: a jump host, a program, and Identity-Aware Proxy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "support/iap_relay.h"
#include "support/processes.h"

namespace slipway::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Ways : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = new EmulatorUser();
    user_->create_ready("qr", 2);
  }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }
  static Ended run(const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "qr", "--command", "echo here"};
    words.insert(words.end(), more.begin(), more.end());
    return user_->slipway(words);
  }
  static std::string address_of(const std::string& node, int worker) {
    const Result<Json> rows = parse_json(user_->slipway({"workers", "node:" + node, "--format", "json"}).out);
    return (*rows)[static_cast<std::size_t>(worker)]["ipAddress"].get<std::string>();
  }
  /// A worker of another slice is the jump host. Its key is one that it publishes to nobody but us.
  static std::string jump() {
    static const std::string name = [] {
      user_->create_ready("bastion", 1);
      const Ended let_in = user_->slipway({"run", "bastion", "--worker", "0", "--command", "echo $LOGNAME"});
      EXPECT_EQ(let_in.code, 0) << let_in.err;
      return let_in.out.substr(0, let_in.out.find('\n'));
    }();
    return name.substr(name.find(": ") + 2) + "@" + address_of("bastion-0", 0) + ":" +
           std::to_string(ssh_port());
  }
  static int ssh_port() { return std::stoi(user_->environment["SLIPWAY_SSH_PORT"]); }

  /// A relay that leads to one worker, whomever it is asked for.
  static IapRelay::Options to_worker() {
    IapRelay::Options options;
    options.target = address_of("qr-0", 0);
    options.target_port = ssh_port();
    return options;
  }

  static EmulatorUser* user_;
};
EmulatorUser* Ways::user_ = nullptr;

TEST_F(Ways, OfWorkersInSeveralNetworksTheFirstCardIsTheWay) {
  const Ended created = user_->slipway(
      {"create", "cards", "--node-id", "cards-0", "--accelerator-type", "v4-16", "--runtime-version",
       "tpu-ubuntu2204-base", "--network-config", "network=a", "--network-config", "network=b", "--wait"});
  ASSERT_EQ(created.code, 0) << created.err;
  ASSERT_EQ(user_->slipway({"wait", "cards", "--for", "SSH", "--timeout", "60s"}).code, 0);
  const Ended ended = user_->slipway({"run", "cards", "--command", "echo here"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("cards-0/0: here\n"));
  EXPECT_THAT(ended.out, HasSubstr("cards-0/1: here\n"));
  const Ended one = user_->slipway({"ssh", "cards", "--worker", "1", "--", "hostname"});
  EXPECT_THAT(one.out, HasSubstr("-w-1"));
}

TEST_F(Ways, AProgramCarriesEachConnection) {
  const std::string log = user_->home() / "proxied";
  const Ended ended = run({"--proxy-command", "bash -c 'echo %h %p %r 100%% >> " + log +
                                                  "; exec 3<>/dev/tcp/%h/%p; cat <&3 & cat >&3; kill $!'"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("qr-1/1: here\n"));
  EXPECT_THAT(read_file(log).value(), HasSubstr(address_of("qr-1", 1) + " " + std::to_string(ssh_port())));
}

TEST_F(Ways, AProxyCommandThatIsNotThereIsOneCauseAndTriedOnce) {
  const Ended ended = run({"--proxy-command", "no-such-proxy %h %p", "--connect-timeout", "20s"});
  EXPECT_EQ(ended.code, 8) << ended.err;
  EXPECT_NE(ended.err.find("the proxy command ended with code 127"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("the proxy command ended before"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("tried for"), std::string::npos) << ended.err;
  std::size_t complaints = 0;
  for (const std::string& line : split(ended.err, '\n'))
    complaints += line.find("no-such-proxy: not found") != std::string::npos ? 1 : 0;
  EXPECT_LE(complaints, 4U) << "one a worker: " << ended.err;
}

TEST_F(Ways, AProgramThatFailsIsUnreachableByName) {
  const Ended ended = run({"--proxy-command", "false", "--connect-timeout", "2s"});
  EXPECT_EQ(ended.code, 8) << ended.err;
  EXPECT_THAT(ended.out, Not(HasSubstr("here")));
}

TEST_F(Ways, AJumpHostIsLoggedInToOnceForAllWorkers) {
  if (!file_exists("/usr/bin/ssh")) GTEST_SKIP() << "no OpenSSH client is installed";
  const Ended ended = run({"--jump", jump()});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("qr-1/0: here\n"));
  const Ended shell = user_->slipway({"ssh", "qr", "--jump", jump(), "--", "echo shell; exit 4"});
  EXPECT_EQ(shell.code, 4) << shell.err;
  EXPECT_THAT(shell.out, HasSubstr("shell\n"));
}

TEST_F(Ways, AJumpHostThatDiesInTheMiddleLosesEveryWorkerAndSaysSo) {
  if (!file_exists("/usr/bin/ssh")) GTEST_SKIP() << "no OpenSSH client is installed";
  const auto running = user_->start({"run", "qr", "--jump", jump(), "--output-dir", user_->home() / "jumped",
                                     "--command", "echo up; exec sleep 600"});
  const auto all_up = [](const std::string& out, const std::string&) {
    std::size_t up = 0;
    for (std::size_t at = out.find(": up\n"); at != std::string::npos; at = out.find(": up\n", at + 1)) ++up;
    return up == 4;
  };
  ASSERT_TRUE(running->read_until(all_up));
  const std::vector<pid_t> children = children_of(running->pid());
  ASSERT_EQ(children.size(), 1U) << "one ssh for all";
  ::kill(children.front(), SIGKILL);
  const Ended ended = running->wait();
  EXPECT_EQ(ended.code, 8) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("lost"));
  EXPECT_THAT(ended.err, HasSubstr("jump host"));
  const Result<Json> record = parse_json(read_file(user_->home() / "jumped/run.json").value());
  ASSERT_TRUE(record.ok());
  for (const Json& worker : (*record)["workers"]) EXPECT_EQ(worker["outcome"], "lost") << worker.dump();
}

TEST_F(Ways, AJumpHostThatIsNotThereIsOneErrorWithTheLineToTry) {
  const Ended ended = run({"--jump", "nobody@127.9.9.9:1"});
  EXPECT_EQ(ended.code, 8) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("jump host"));
  EXPECT_THAT(ended.err, HasSubstr("next: ssh "));
}

TEST_F(Ways, IapReachesAWorkerByItsName) {
  IapRelay::Options options;
  options.target = address_of("qr-0", 0);
  options.target_port = ssh_port();
  options.cuts = {4'000};
  const IapRelay relay(options);
  const std::vector<std::string> iap{"--tunnel-through-iap",
                                     "--iap-url",
                                     relay.url(),
                                     "--ca-file",
                                     relay.ca_file(),
                                     "--node",
                                     "0",
                                     "--worker",
                                     "0"};
  const Ended ended = run(iap);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("qr-0/0: here\n"));
  EXPECT_THAT(relay.requests().at(0), HasSubstr("&instance=t1v-n-"));
  EXPECT_GE(relay.reconnections(), 1U);
}

TEST_F(Ways, AShellThroughIapUsesTheTunnelCommand) {
  if (!file_exists("/usr/bin/ssh")) GTEST_SKIP() << "no OpenSSH client is installed";
  IapRelay::Options options;
  options.target = address_of("qr-0", 0);
  options.target_port = ssh_port();
  const IapRelay relay(options);
  user_->environment["SLIPWAY_CA_FILE"] = relay.ca_file();
  const Ended ended = user_->slipway(
      {"ssh", "qr", "--tunnel-through-iap", "--iap-url", relay.url(), "--", "seq 20000; exit 6"});
  user_->environment.erase("SLIPWAY_CA_FILE");
  EXPECT_EQ(ended.code, 6) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("19999\n20000\n"));
}

TEST_F(Ways, AShellThroughIapSignsInWithTheFlagsThatItWasGiven) {
  if (!file_exists("/usr/bin/ssh")) GTEST_SKIP() << "no OpenSSH client is installed";
  const IapRelay relay(to_worker());
  const Program::Environment environment = user_->environment;
  const std::string token_file = user_->environment["CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"];
  user_->environment.erase("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE");
  const std::vector<std::string> words{"ssh",       "qr",        "--tunnel-through-iap", "--iap-url",
                                       relay.url(), "--ca-file", relay.ca_file()};
  std::vector<std::string> with_file = words;
  with_file.insert(with_file.end(), {"--access-token-file", token_file, "--", "exit 6"});
  const Ended by_flag = user_->slipway(with_file);
  EXPECT_EQ(by_flag.code, 6) << by_flag.err;
  EXPECT_THAT(by_flag.err, Not(HasSubstr("tunnel"))) << "ssh's hangup is the tunnel's ordinary end";
  user_->environment["CLOUDSDK_AUTH_ACCESS_TOKEN"] = std::string(trim(read_file(token_file).value()));
  std::vector<std::string> with_variable = words;
  with_variable.insert(with_variable.end(), {"--", "exit 7"});
  const Ended by_variable = user_->slipway(with_variable);
  user_->environment = environment;
  EXPECT_EQ(by_variable.code, 7) << by_variable.err;
}

TEST_F(Ways, ATunnelIsForOtherProgramsToo) {
  const IapRelay relay(to_worker());
  const std::string line =
      "slipway tunnel qr --iap-url " + relay.url() + " --ca-file " + relay.ca_file() + " --port 22";
  const Ended banner = user_->shell("printf 'SSH-2.0-somebody\\r\\n' | " + line + " | head -c 8");
  EXPECT_EQ(banner.out, "SSH-2.0-") << banner.err;
  const Ended many = user_->slipway(
      {"tunnel", "qr", "--worker", "all", "--iap-url", relay.url(), "--ca-file", relay.ca_file()});
  EXPECT_EQ(many.code, 2);
}

TEST_F(Ways, WhomIapDoesNotLetInIsToldSoWithTheCodeForIt) {
  IapRelay::Options options = to_worker();
  options.status = 403;
  const IapRelay relay(options);
  const Ended ended =
      run({"--tunnel-through-iap", "--iap-url", relay.url(), "--ca-file", relay.ca_file(), "--node", "0"});
  EXPECT_EQ(ended.code, 4) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("403"));
}

TEST_F(Ways, ATokenGoesToNoRelayThatTheUserDidNotName) {
  const Ended ended = run({"--tunnel-through-iap", "--iap-url", "wss://localhost.example.invalid/v4"});
  EXPECT_NE(ended.code, 0);
  EXPECT_THAT(ended.out, Not(HasSubstr("here")));
}

TEST_F(Ways, WordsThatContradictEachOtherAreRefusedBeforeAnythingIsContacted) {
  const std::size_t before = user_->requests().size();
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--jump", "a@b", "--proxy-command", "nc %h %p"},
                                             {"--jump", "-oProxyCommand=x"},
                                             {"--proxy-command", "nc %x"},
                                             {"--tunnel-through-iap", "--internal-ip"},
                                             {"--tunnel-through-iap", "--jump", "a@b"}}) {
    EXPECT_EQ(run(words).code, 2) << words[0];
  }
  EXPECT_EQ(user_->requests().size(), before);
}

}  // namespace
}  // namespace slipway::test
