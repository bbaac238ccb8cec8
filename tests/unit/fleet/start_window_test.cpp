#include "fleet/start_window.h"

#include <gtest/gtest.h>

namespace slipway::fleet {
namespace {

using namespace std::chrono_literals;

Clock::time_point at(std::chrono::milliseconds when) { return Clock::time_point(when); }

TEST(StartWindow, BeginsWith256) { EXPECT_EQ(StartWindow(std::nullopt).size(), 256u); }

TEST(StartWindow, StaysThereWhereTheNetworkIsQuick) {
  StartWindow window(std::nullopt);
  window.learn(5ms);
  EXPECT_EQ(window.size(), 256u);
}

TEST(StartWindow, GrowsToWhatKeepsAProcessorBusy) {
  StartWindow window(std::nullopt);
  window.learn(800ms);
  EXPECT_EQ(window.size(), 3'200u);
}

TEST(StartWindow, NeverGrowsBeyond4096) {
  StartWindow window(std::nullopt);
  window.learn(30s);
  EXPECT_EQ(window.size(), 4'096u);
}

TEST(StartWindow, BelievesTheFastestStart) {
  StartWindow window(std::nullopt);
  window.learn(800ms);
  window.learn(200ms);
  window.learn(900ms);
  EXPECT_EQ(window.size(), 800u);
}

TEST(StartWindow, AFixedNumberStays) {
  StartWindow window(10);
  window.learn(10s);
  EXPECT_EQ(window.size(), 10u);
  EXPECT_EQ(StartWindow(0).size(), 1u);
}

TEST(StartWindow, AWorkerThatTurnsUsAwayHalvesWhatIsInFlight) {
  StartWindow window(std::nullopt);
  EXPECT_TRUE(window.turned_away(at(0ms), at(10ms), 256));
  EXPECT_EQ(window.size(), 128u);
  EXPECT_TRUE(window.turned_away(at(20ms), at(30ms), 40));
  EXPECT_EQ(window.size(), 20u);
}

TEST(StartWindow, AllThatWereInFlightTogetherCountOnce) {
  StartWindow window(std::nullopt);
  window.turned_away(at(0ms), at(10ms), 256);
  EXPECT_FALSE(window.turned_away(at(5ms), at(11ms), 200));
  EXPECT_EQ(window.size(), 128u);
}

TEST(StartWindow, NeverHalvesToNothing) {
  StartWindow window(1);
  EXPECT_FALSE(window.turned_away(at(0ms), at(10ms), 1));
  EXPECT_EQ(window.size(), 1u);
}

TEST(StartWindow, GrowsByOneForEveryWindowOfGoodStartsAfterThat) {
  StartWindow window(16);
  window.turned_away(at(0ms), at(10ms), 4);
  ASSERT_EQ(window.size(), 2u);
  window.started();
  EXPECT_EQ(window.size(), 2u);
  window.started();
  EXPECT_EQ(window.size(), 3u);
  for (int i = 0; i < 1'000; ++i) window.started();
  EXPECT_EQ(window.size(), 16u);
}

TEST(StartWindow, LearnsNoMoreFromTheNetworkOnceItWasTurnedAway) {
  StartWindow window(std::nullopt);
  window.turned_away(at(0ms), at(10ms), 8);
  window.learn(10s);
  EXPECT_EQ(window.size(), 4u);
}

TEST(StartWindow, WithoutRoomItStaysBelowWhatFitted) {
  StartWindow window(std::nullopt);
  window.out_of_room(5);
  EXPECT_EQ(window.size(), 4u);
  window.learn(10s);
  EXPECT_EQ(window.size(), 4u);
  window.out_of_room(1);
  EXPECT_EQ(window.size(), 1u);
}

}  // namespace
}  // namespace slipway::fleet
