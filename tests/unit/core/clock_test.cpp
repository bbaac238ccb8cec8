#include "slipway/core/clock.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "slipway/core/interrupt.h"

namespace slipway {
namespace {

using namespace std::chrono_literals;

TEST(SystemClock, SleepsUntilTheMoment) {
  SystemClock clock;
  const auto when = clock.now() + 20ms;
  EXPECT_TRUE(clock.sleep_until(when));
  EXPECT_GE(clock.now(), when);
  EXPECT_TRUE(clock.sleep_until(when)) << "a moment that has passed is no wait";
}

TEST(SystemClock, AnInterruptEndsASleepAtOnce) {
  Interrupt interrupt;
  SystemClock clock(&interrupt);
  interrupt.notify(SIGINT);
  const auto begin = clock.now();
  EXPECT_FALSE(clock.sleep_until(begin + 1h));
  EXPECT_LT(clock.now() - begin, 5s);
}

}  // namespace
}  // namespace slipway
