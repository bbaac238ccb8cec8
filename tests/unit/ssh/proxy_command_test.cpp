#include "slipway/ssh/proxy_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "support/processes.h"
#include "unit/ssh/session_test.h"

namespace slipway::test {
namespace {

using ssh::expand_proxy_command;
using ssh::make_proxy_command_socket;
using ::testing::HasSubstr;

TEST(ProxyCommand, NamesTheWorkerByOpensshsLetters) {
  EXPECT_EQ(expand_proxy_command("nc %h %p # %r 100%%", "10.0.0.2", 22, "me").value(),
            "nc 10.0.0.2 22 # me 100%");
  for (const char* bad : {"nc %x", "nc %"}) {
    EXPECT_EQ(expand_proxy_command(bad, "h", 22, "u").error().code(), ErrorCode::kUsage) << bad;
  }
}

TEST(ProxyCommand, NothingOfTheApiIsReadByAShell) {
  for (const char* host : {"$(reboot)", "10.0.0.1; reboot", "host.example", "", "-oX"})
    EXPECT_FALSE(expand_proxy_command("nc %h %p", host, 22, "me").ok()) << host;
  EXPECT_FALSE(expand_proxy_command("nc %h %p", std::string("10.0.0.1\0;reboot", 16), 22, "me").ok());
  for (const char* user : {"$(reboot)", "a b", "-x", "a;b", "a'b"})
    EXPECT_FALSE(expand_proxy_command("nc -l %r %h", "10.0.0.1", 22, user).ok()) << user;
  EXPECT_TRUE(expand_proxy_command("nc %h %p", "fd00::1", 22, "me_x.y@corp").ok());
}

class ProxyCommandTest : public SessionTest {
 protected:
  /// bash can make a TCP connection by itself: no other program is needed.
  static std::string relay(const std::string& first = "") {
    return "bash -c '" + first + "exec 3<>/dev/tcp/" + Sshd::address() + "/" + std::to_string(sshd().port()) +
           "; cat <&3 & cat >&3; kill $!'";
  }
};

TEST_F(ProxyCommandTest, CarriesAWholeSession) {
  SessionDriver driver(make_proxy_command_socket(relay()), options());
  ASSERT_TRUE(driver.until_held()) << end_of(driver);
  ssh::RemoteCommand command;
  command.text = "head -c 300000 /dev/zero | tr '\\0' x; exit 5";
  const auto wire = ssh::to_wire(command);
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until_over());
  EXPECT_EQ(end_of(driver), "exit 5");
  EXPECT_EQ(driver.out.size(), 300'000U);
}

TEST_F(ProxyCommandTest, ThatEndsAtOnceIsUnreachableAndItsCodeIsSaid) {
  SessionDriver driver(make_proxy_command_socket("sh -c 'exit 7'"), options());
  ASSERT_TRUE(driver.until_over());
  ASSERT_TRUE(driver.failed);
  EXPECT_EQ(driver.failed->kind, ssh::Failed::Kind::kUnreachable);
  EXPECT_THAT(driver.failed->reason, HasSubstr("the proxy command ended with code 7"));
  EXPECT_FALSE(driver.failed->hopeless);
}

// Of one cause there is one text: a program's files are closed a moment before it can be seen to have ended.
TEST_F(ProxyCommandTest, ThatEndsAtOnceSaysItsCodeEachTime) {
  std::set<std::string> reasons;
  for (int i = 0; i < 100; ++i) {
    SessionDriver driver(make_proxy_command_socket("sh -c 'exit 7'"), options());
    ASSERT_TRUE(driver.until_over());
    reasons.insert(end_of(driver));
  }
  EXPECT_THAT(reasons,
              ::testing::ElementsAre("failed: the proxy command ended with code 7 before it said a word"));
}

TEST_F(ProxyCommandTest, ThatLetsGoOfTheLineAndGoesOnIsNotWaitedFor) {
  const auto begun = std::chrono::steady_clock::now();
  SessionDriver driver(make_proxy_command_socket("sh -c 'exec sleep 600 <&- >&-'"), options());
  ASSERT_TRUE(driver.until_over());
  EXPECT_THAT(end_of(driver), HasSubstr("the proxy command ended before it said a word"));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
}

TEST_F(ProxyCommandTest, ThatIsNotThereIsSaidToBeTheCause) {
  SessionDriver driver(make_proxy_command_socket("/nowhere/at/all 2>/dev/null"), options());
  ASSERT_TRUE(driver.until_over());
  ASSERT_TRUE(driver.failed);
  EXPECT_THAT(driver.failed->reason, HasSubstr("the proxy command ended with code 127"));
  EXPECT_TRUE(driver.failed->hopeless);
}

TEST_F(ProxyCommandTest, LinesBeforeTheVersionLineAreTheServersToSay) {
  SessionDriver driver(make_proxy_command_socket(relay("echo Welcome; echo; seq 100; ")), options());
  EXPECT_TRUE(driver.until_held()) << end_of(driver);
}

TEST_F(ProxyCommandTest, ThatOnlySaysRubbishOrNothingMeetsTheDeadlineOfTheHandshake) {
  for (const std::string line : {"cat /dev/zero", "cat /dev/urandom", "yes", "sleep 600"}) {
    auto quick = options();
    quick.limits.handshake = std::chrono::milliseconds(500);
    SessionDriver driver(make_proxy_command_socket(line), quick);
    ASSERT_TRUE(driver.until_over()) << line;
    ASSERT_TRUE(driver.failed) << line;
    EXPECT_FALSE(driver.failed->started);
  }
}

TEST_F(ProxyCommandTest, ThatEndsInTheMiddleLosesTheCommandAndSaysSo) {
  const std::vector<pid_t> others = children_of(::getpid());
  SessionDriver driver(make_proxy_command_socket(relay()), options());
  ASSERT_TRUE(driver.until_held()) << end_of(driver);
  ssh::RemoteCommand command;
  command.text = "echo runs; exec sleep 600";
  const auto wire = ssh::to_wire(command);
  driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input);
  ASSERT_TRUE(driver.until([&] { return driver.out == "runs\n"; }));
  for (const pid_t child : children_of(::getpid())) {
    if (std::count(others.begin(), others.end(), child) == 0) ::kill(-child, SIGKILL);
  }
  ASSERT_TRUE(driver.until_over());
  ASSERT_TRUE(driver.failed);
  EXPECT_EQ(driver.failed->kind, ssh::Failed::Kind::kLost);
  EXPECT_THAT(driver.failed->reason, HasSubstr("the proxy command ended"));
}

TEST_F(ProxyCommandTest, LeavesNoProcessAndNoDescriptorBehind) {
  const auto open_files = [] {
    using Files = std::filesystem::directory_iterator;
    return std::distance(Files("/proc/self/fd"), Files());
  };
  const auto before = open_files();
  const std::size_t children = children_of(::getpid()).size();
  for (const std::string& line : {relay(), std::string("exit 3"), std::string("sleep 600")}) {
    SessionDriver driver(make_proxy_command_socket(line), options());
    driver.until([&] { return driver.session().held(); }, std::chrono::milliseconds(200));
  }
  EXPECT_EQ(open_files(), before);
  EXPECT_EQ(children_of(::getpid()).size(), children);
}

TEST_F(ProxyCommandTest, WhereEndedChildrenAreForgottenByTheKernelItEndsAllTheSame) {
  struct sigaction before {};
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGCHLD, &ignore, &before);
  SessionDriver driver(make_proxy_command_socket("exit 3"), options());
  EXPECT_TRUE(driver.until_over());
  EXPECT_TRUE(driver.failed);
  ::sigaction(SIGCHLD, &before, nullptr);
}

TEST_F(ProxyCommandTest, EndsWithItsSession) {
  const TempFolder folder;
  const std::string pid_file = folder / "pid";
  pid_t pid = 0;
  {
    SessionDriver driver(
        make_proxy_command_socket("sh -c 'echo $$ > " + pid_file + "; trap \"\" TERM; cat; cat'"), options());
    ASSERT_TRUE(driver.until([&] {
      std::FILE* file = std::fopen(pid_file.c_str(), "r");
      const bool there = file != nullptr && std::fscanf(file, "%d", &pid) == 1;
      if (file != nullptr) std::fclose(file);
      return there;
    }));
    EXPECT_TRUE(runs(pid));
  }
  EXPECT_TRUE(ends(pid, std::chrono::seconds(10)));
}

TEST_F(ProxyCommandTest, DoesNotSeeTheAccessToken) {
  ::setenv("CLOUDSDK_AUTH_ACCESS_TOKEN", "ya29.secret", 1);
  const TempFolder folder;
  SessionDriver driver(make_proxy_command_socket("sh -c 'env > " + (folder / "env") + ".new; mv " +
                                                 (folder / "env") + ".new " + (folder / "env") + "'"),
                       options());
  EXPECT_TRUE(driver.until_over());
  ::unsetenv("CLOUDSDK_AUTH_ACCESS_TOKEN");
  const std::string look = "! grep -q ya29 " + (folder / "env");
  EXPECT_EQ(std::system(look.c_str()), 0);
}

}  // namespace
}  // namespace slipway::test
