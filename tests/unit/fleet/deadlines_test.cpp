#include "fleet/deadlines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace slipway::fleet {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Clock::time_point at(int ms) { return Clock::time_point(milliseconds(ms)); }

std::vector<std::size_t> due(Deadlines& deadlines, int ms) {
  std::vector<std::size_t> which;
  deadlines.take_due(at(ms), which);
  return which;
}

TEST(Deadlines, ComeInTheOrderOfTime) {
  Deadlines deadlines(3);
  deadlines.set(0, at(30));
  deadlines.set(1, at(10));
  deadlines.set(2, at(20));
  EXPECT_EQ(deadlines.next(), at(10));
  EXPECT_THAT(due(deadlines, 20), ElementsAre(1, 2));
  EXPECT_EQ(deadlines.next(), at(30));
}

TEST(Deadlines, OneThatMovedLaterDoesNotComeEarly) {
  Deadlines deadlines(1);
  deadlines.set(0, at(10));
  deadlines.set(0, at(50));
  EXPECT_THAT(due(deadlines, 20), IsEmpty());
  EXPECT_THAT(due(deadlines, 50), ElementsAre(0));
  EXPECT_THAT(due(deadlines, 99), IsEmpty());
}

TEST(Deadlines, OneThatMovedEarlierComesOnce) {
  Deadlines deadlines(1);
  deadlines.set(0, at(50));
  deadlines.set(0, at(10));
  EXPECT_THAT(due(deadlines, 10), ElementsAre(0));
  EXPECT_THAT(due(deadlines, 60), IsEmpty());
  EXPECT_EQ(deadlines.next(), std::nullopt);
}

TEST(Deadlines, OneThatIsTakenAwayNeverComes) {
  Deadlines deadlines(1);
  deadlines.set(0, at(10));
  deadlines.set(0, std::nullopt);
  EXPECT_THAT(due(deadlines, 10), IsEmpty());
  EXPECT_EQ(deadlines.next(), std::nullopt);
}

TEST(Deadlines, AgreeWithALinearSearchWhateverHappens) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  constexpr std::size_t kCount = 20;
  Deadlines deadlines(kCount);
  std::vector<std::optional<int>> model(kCount);
  int now = 0;
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t which = random() % kCount;
    model[which] =
        random() % 4 == 0 ? std::nullopt : std::optional<int>(now + static_cast<int>(random() % 100));
    deadlines.set(which, model[which] ? std::optional(at(*model[which])) : std::nullopt);
    now += static_cast<int>(random() % 10);
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < kCount; ++i) {
      if (model[i] && *model[i] <= now) {
        expected.push_back(i);
        model[i].reset();
      }
    }
    ASSERT_THAT(due(deadlines, now), ::testing::UnorderedElementsAreArray(expected)) << "step " << step;
  }
}

}  // namespace
}  // namespace slipway::fleet
