// What this machine can do to a run: few descriptors, closed standard streams, stops, and system calls that
// fail one at a time.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"

namespace slipway::test {
namespace {

constexpr int kWorkers = 4;

class LocalFaults : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = new EmulatorUser();
    user_->create_ready("qr", kWorkers / 2);
    ASSERT_EQ(user_->slipway({"run", "qr", "--command", "true"}).code, 0) << "our key is known from here on";
  }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }

  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }

  static EmulatorUser* user_;
};
EmulatorUser* LocalFaults::user_ = nullptr;

TEST_F(LocalFaults, SixtyFourDescriptorsAreEnoughForAFewWorkersThatWaitForEachOther) {
  const Ended ended = user_->shell("ulimit -n 64; exec slipway run qr --rank-env --timeout 60s --script " +
                                   (std::string(SLIPWAY_SOURCE_DIR) + "/examples/wait-for-peers"));
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST_F(LocalFaults, TooFewDescriptorsAreSaidBeforeAnythingIsConnected) {
  const Ended ended = user_->shell("ulimit -n 14; exec slipway run qr --command 'touch ~/too-few'");
  EXPECT_EQ(ended.code, 10) << ended.err;
  EXPECT_NE(ended.err.find("this machine allows 14"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("ulimit -n"), std::string::npos) << ended.err;
  EXPECT_EQ(user_->slipway({"run", "qr", "--command", "test ! -e ~/too-few"}).code, 0);
}

TEST_F(LocalFaults, ClosedStandardStreamsBecomeNobodysSocket) {
  EXPECT_EQ(user_->shell("slipway run qr --command true <&- >&- 2>&-; echo code $?").out, "code 0\n");
  EXPECT_EQ(user_->shell("slipway run qr --command 'echo hi' <&- >&- 2>&-; echo code $?").out, "code 10\n")
      << "output that cannot be written is no success";
}

TEST_F(LocalFaults, AStopAndAContinueLoseNothing) {
  const auto program =
      user_->start({"run", "qr", "--keepalive", "1s", "--command",
                    "echo up; for i in 1 2 3 4 5 6; do read -t 1 < <(:) ; sleep 1; done; echo down"});
  ASSERT_TRUE(program->read_until(
      [](const std::string& out, const std::string&) { return count(out, "up") == kWorkers; }));
  program->send(SIGSTOP);
  EXPECT_FALSE(
      program->read_until([](const std::string& out, const std::string&) { return count(out, "down") > 0; },
                          std::chrono::seconds(5)))
      << "it was stopped, longer than three of its keepalive intervals";
  program->send(SIGCONT);
  const Ended ended = program->wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(count(ended.out, "down"), static_cast<std::size_t>(kWorkers));
}

TEST_F(LocalFaults, StdinReachesEveryWorkerWhole) {
  const Ended ended =
      user_->shell("printf 'one\\ntwo' | slipway run qr --stdin - --command 'cat; echo; exit 0'");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(count(ended.out, ": one\n"), static_cast<std::size_t>(kWorkers));
  EXPECT_EQ(count(ended.out, ": two\n"), static_cast<std::size_t>(kWorkers));
}

TEST_F(LocalFaults, FailFastEndsTheOthersSoon) {
  const Ended ended = user_->slipway({"run", "qr", "--fail-fast", "--rank-env", "--command",
                                      "[ $SLIPWAY_PROCESS_ID = 2 ] && exit 7; exec sleep 600"});
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.err.find("qr-1/0 failed (exit 7): TERM goes to the command on"), std::string::npos)
      << ended.err;
}

/// One system call that fails, at each of its first occurrences.
struct Injection {
  const char* call;
  const char* error;
  int most;
};
void PrintTo(const Injection& one, std::ostream* out) { *out << one.call << " " << one.error; }

class FailingCall : public LocalFaults, public ::testing::WithParamInterface<Injection> {
 protected:
  static bool can_inject() {
#ifdef __SANITIZE_ADDRESS__
    return false;  // LeakSanitizer traces the process itself
#else
    return user_
               ->shell("strace -qq -o /dev/null -e trace=openat -e inject=openat:error=ENOENT:when=9999 true")
               .code == 0;
#endif
  }
};

TEST_P(FailingCall, NeverCrashesNorHangsNorCallsItDone) {
  if (!can_inject()) GTEST_SKIP() << "no strace that may inject";
  const Injection& one = GetParam();
  const int step = std::getenv("SLIPWAY_EVERY_BYTE") != nullptr ? 1 : std::max(1, one.most / 8);
  for (int n = 1; n <= one.most; n += step) {
    SCOPED_TRACE("number " + std::to_string(n));
    const std::string call = one.call;
    const Ended ended =
        user_->shell("strace -f -qq -o /dev/null -e trace=" + call + " -e inject=" + call +
                     ":error=" + one.error + ":when=" + std::to_string(n) +
                     " slipway run qr --connect-timeout 3s --timeout 30s --command 'echo done'");
    EXPECT_FALSE(ended.hung);
    EXPECT_EQ(ended.signal, 0) << ended.err;
    EXPECT_LT(ended.code, 128) << ended.err;
    if (ended.code == 0) {
      EXPECT_EQ(count(ended.out, ": done\n"), static_cast<std::size_t>(kWorkers)) << ended.out << ended.err;
    } else {
      EXPECT_FALSE(ended.err.empty() && call != "write") << "code " << ended.code;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Calls, FailingCall,
    ::testing::Values(Injection{"openat", "EMFILE", 64}, Injection{"read", "EIO", 64},
                      Injection{"write", "ENOSPC", 24}, Injection{"socket", "EMFILE", 16},
                      Injection{"connect", "ETIMEDOUT", 12}, Injection{"epoll_wait", "EINTR", 24},
                      Injection{"epoll_ctl", "ENOMEM", 16}, Injection{"recvfrom", "ECONNRESET", 64},
                      Injection{"sendto", "EPIPE", 32}, Injection{"getrandom", "EINTR", 8}),
    [](const auto& test) { return std::string(test.param.call); });

}  // namespace
}  // namespace slipway::test
