#include "slipway/core/interrupt.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace slipway {
namespace {

bool readable(int fd) {
  pollfd watched{fd, POLLIN, 0};
  return ::poll(&watched, 1, 0) == 1;
}

TEST(Interrupt, HearsARealSignalAndCounts) {
  Interrupt interrupt;
  interrupt.install();
  EXPECT_FALSE(interrupt.requested());
  EXPECT_FALSE(readable(interrupt.fd()));
  ::raise(SIGTERM);
  EXPECT_EQ(interrupt.count(), 1);
  EXPECT_TRUE(readable(interrupt.fd()));
  ::raise(SIGINT);
  EXPECT_EQ(interrupt.count(), 2);
  EXPECT_EQ(interrupt.signal_number(), SIGTERM) << "the first one says how the program ended";
}

TEST(Interrupt, LeavesAnIgnoredHangupIgnored) {
  ::signal(SIGHUP, SIG_IGN);
  {
    Interrupt interrupt;
    interrupt.install();
    ::raise(SIGHUP);
    EXPECT_EQ(interrupt.count(), 0);
  }
  struct sigaction after {};
  ::sigaction(SIGHUP, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
  ::signal(SIGHUP, SIG_DFL);
}

TEST(InterruptDeathTest, TheFourthOneEndsTheProcessWhereItStands) {
  EXPECT_EXIT(
      {
        Interrupt interrupt;
        interrupt.install();
        for (int i = 0; i < 4; ++i) ::raise(SIGINT);
        ::_exit(0);
      },
      ::testing::ExitedWithCode(128 + SIGINT), "");
}

}  // namespace
}  // namespace slipway
