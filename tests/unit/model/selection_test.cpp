#include "slipway/model/selection.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

using Positions = std::vector<std::size_t>;
const std::vector<std::string> kSlices{"qr-0", "qr-1", "qr-2", "qr-3"};

Positions select(const std::string& text) {
  return Selection::parse(text).value().apply(kSlices, "slice").value();
}

TEST(Selection, TakesEveryFormOfTheContract) {
  EXPECT_EQ(select("all"), (Positions{0, 1, 2, 3}));
  EXPECT_EQ(select("0"), (Positions{0}));
  EXPECT_EQ(select("3,1-2"), (Positions{1, 2, 3}));
  EXPECT_EQ(select("qr-2"), (Positions{2}));
  EXPECT_EQ(select("!3"), (Positions{0, 1, 2}));
  EXPECT_EQ(select("all,!qr-1"), (Positions{0, 2, 3}));
  EXPECT_EQ(select("!0-1"), (Positions{2, 3}));
}

TEST(Selection, NamesWhatIsNotThere) {
  const auto outside = Selection::parse("4").value().apply(kSlices, "slice");
  ASSERT_FALSE(outside.ok());
  EXPECT_EQ(outside.error().code(), ErrorCode::kUsage);
  EXPECT_EQ(outside.error().message(), "there is no slice 4");
  EXPECT_EQ(outside.error().why(), "there are slices 0 to 3");
  const auto unknown = Selection::parse("rq-1").value().apply(kSlices, "slice");
  EXPECT_EQ(unknown.error().why(), "did you mean 'qr-1'?");
}

TEST(Selection, ALargeRangeIsAnErrorAndNotALoop) {
  EXPECT_FALSE(Selection::parse("0-18446744073709551615").value().apply(kSlices, "slice").ok());
}

TEST(Selection, RefusesWhatItCannotReadAndWhatLeavesNothing) {
  for (const char* bad : {"", ",", "1,", "!", "3-1"}) EXPECT_FALSE(Selection::parse(bad).ok()) << bad;
  EXPECT_FALSE(Selection::parse("!all").value().apply(kSlices, "slice").ok());
}

TEST(Selection, CountsWorkersThatHaveNoNames) {
  EXPECT_EQ(Selection::parse("1-2").value().apply(4, "worker").value(), (Positions{1, 2}));
  EXPECT_EQ(Selection::parse("9").value().apply(2, "worker").error().message(), "there is no worker 9");
}

TEST(Requirement, IsANumberOutOfTheSelected) {
  EXPECT_EQ(Requirement::parse("all").value().of(8), 8U);
  EXPECT_EQ(Requirement::parse("any").value().of(8), 1U);
  EXPECT_EQ(Requirement::parse("6").value().of(8), 6U);
  EXPECT_EQ(Requirement::parse("90%").value().of(8), 8U) << "a share is rounded up";
  EXPECT_EQ(Requirement::parse("50%").value().of(8), 4U);
  EXPECT_EQ(Requirement::parse("1%").value().of(8), 1U);
  for (const char* bad : {"", "0", "0%", "101%", "-1", "most", "%"})
    EXPECT_FALSE(Requirement::parse(bad).ok()) << bad;
}

}  // namespace
}  // namespace slipway
