#include "fleet/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/targets.h"

namespace slipway::fleet {
namespace {

using slipway::test::make_targets;
using ::testing::ElementsAre;

TEST(StartOrder, TakesTheSlicesInTurn) {
  EXPECT_THAT(start_order(make_targets(3, 2)), ElementsAre(0, 2, 4, 1, 3, 5));
}

TEST(StartOrder, ShortSlicesEndEarly) {
  auto targets = make_targets(2, 3);
  targets.erase(targets.begin() + 4, targets.end());  // qr-0/0 qr-0/1 qr-0/2 qr-1/0
  EXPECT_THAT(start_order(targets), ElementsAre(0, 3, 1, 2));
}

TEST(Admission, GivesOutNoMorePermitsThanThereAre) {
  Admission admission({0, 1, 2}, StartWindow(2));
  EXPECT_EQ(admission.next(), 0u);
  EXPECT_EQ(admission.next(), 1u);
  EXPECT_EQ(admission.next(), std::nullopt);
  admission.give_back();
  EXPECT_EQ(admission.next(), 2u);
  admission.give_back();
  EXPECT_EQ(admission.next(), std::nullopt);
}

TEST(Admission, ASecondTryComesBehindAllFirstTries) {
  Admission admission({0, 1, 2}, StartWindow(1));
  EXPECT_EQ(admission.next(), 0u);
  admission.queue_again(0);
  admission.give_back();
  EXPECT_EQ(admission.next(), 1u);
  admission.give_back();
  EXPECT_EQ(admission.next(), 2u);
  admission.give_back();
  EXPECT_EQ(admission.next(), 0u);
}

TEST(Admission, ZeroPermitsAreOne) { EXPECT_EQ(Admission({7}, StartWindow(0)).next(), 7u); }

}  // namespace
}  // namespace slipway::fleet
