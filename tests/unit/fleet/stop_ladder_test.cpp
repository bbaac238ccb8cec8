#include "fleet/stop_ladder.h"

#include <gtest/gtest.h>

namespace slipway::fleet {
namespace {

using std::chrono::seconds;

Clock::time_point at(int s) { return Clock::time_point(seconds(s)); }

TEST(StopLadder, AnInterruptIsIntThenTermThenKillThenWeLeave) {
  StopLadder ladder = StopLadder::for_interrupt(at(100), seconds(5));
  EXPECT_EQ(ladder.climb(at(100)), "INT");
  EXPECT_EQ(ladder.climb(at(104)), std::nullopt);
  EXPECT_EQ(ladder.next(), at(105));
  EXPECT_EQ(ladder.climb(at(105)), "TERM");
  EXPECT_EQ(ladder.climb(at(110)), "KILL");
  EXPECT_EQ(ladder.climb(at(111)), std::nullopt);
  EXPECT_EQ(ladder.climb(at(112)), "");
  EXPECT_EQ(ladder.next(), std::nullopt);
  EXPECT_EQ(ladder.climb(at(999)), std::nullopt);
}

TEST(StopLadder, ATimeoutBeginsWithTerm) {
  StopLadder ladder = StopLadder::for_stop(at(0), seconds(1));
  EXPECT_EQ(ladder.climb(at(0)), "TERM");
  EXPECT_EQ(ladder.climb(at(1)), "KILL");
  EXPECT_EQ(ladder.climb(at(3)), "");
}

TEST(StopLadder, RungsThatWereMissedComeOneAfterTheOther) {
  StopLadder ladder = StopLadder::for_stop(at(0), seconds(1));
  EXPECT_EQ(ladder.climb(at(50)), "TERM");
  EXPECT_EQ(ladder.climb(at(50)), "KILL");
  EXPECT_EQ(ladder.climb(at(50)), "");
}

TEST(StopLadder, ASecondInterruptIsTermNow) {
  StopLadder ladder = StopLadder::for_interrupt(at(100), seconds(5));
  ladder.climb(at(100));
  ladder.hurry_to_term(at(101));
  EXPECT_EQ(ladder.climb(at(101)), "TERM");
  EXPECT_EQ(ladder.climb(at(101)), std::nullopt);
  EXPECT_EQ(ladder.next(), at(106));
}

TEST(StopLadder, ASecondInterruptAfterTermIsKill) {
  StopLadder ladder = StopLadder::for_interrupt(at(100), seconds(5));
  ladder.climb(at(100));
  ladder.climb(at(105));
  ladder.hurry_to_term(at(106));
  EXPECT_EQ(ladder.climb(at(106)), "KILL");
}

TEST(StopLadder, AThirdInterruptIsKillWhateverCameBefore) {
  StopLadder ladder = StopLadder::for_interrupt(at(100), seconds(5));
  ladder.hurry_to_kill(at(100));
  EXPECT_EQ(ladder.climb(at(100)), "KILL");
  EXPECT_EQ(ladder.next(), at(102));
  ladder.hurry_to_kill(at(100));
  EXPECT_EQ(ladder.climb(at(100)), "");
  ladder.hurry_to_kill(at(100));
  EXPECT_EQ(ladder.next(), std::nullopt);
}

}  // namespace
}  // namespace slipway::fleet
