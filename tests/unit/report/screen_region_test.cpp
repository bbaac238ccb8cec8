#include "slipway/report/screen_region.h"

#include <gtest/gtest.h>

namespace slipway::report {
namespace {

StyledLine line(const std::string& text) {
  StyledLine made;
  made.add(text);
  return made;
}

TEST(ScreenRegion, DrawsItsLinesInPlace) {
  ScreenRegion region;
  EXPECT_EQ(region.draw({line("a"), line("b")}, {80, 24}), "a\x1b[K\nb\x1b[K");
  EXPECT_EQ(region.draw({line("A"), line("B")}, {80, 24}), "\r\x1b[1AA\x1b[K\nB\x1b[K");
}

TEST(ScreenRegion, SendsOnlyWhatChanged) {
  ScreenRegion region;
  region.draw({line("same"), line("x"), line("end")}, {80, 24});
  EXPECT_EQ(region.draw({line("same"), line("y"), line("end")}, {80, 24}), "\r\x1b[2A\ny\x1b[K\nend\x1b[K");
}

TEST(ScreenRegion, ClearsWhatItNoLongerNeeds) {
  ScreenRegion region;
  region.draw({line("a"), line("b"), line("c")}, {80, 24});
  EXPECT_EQ(region.draw({line("a")}, {80, 24}), "\r\x1b[2Aa\x1b[K\x1b[J");
}

TEST(ScreenRegion, ErasesUpToWhereItBegan) {
  ScreenRegion region;
  EXPECT_EQ(region.erase({80, 24}), "");
  region.draw({line("a"), line("b"), line("c")}, {80, 24});
  EXPECT_EQ(region.erase({80, 24}), "\r\x1b[2A\x1b[J");
  EXPECT_FALSE(region.shown());
  EXPECT_EQ(region.draw({line("a")}, {80, 24}), "a\x1b[K") << "begins afresh";
}

TEST(ScreenRegion, KnowsThatANarrowerTerminalHasWrappedItsLines) {
  ScreenRegion region;
  region.draw({line(std::string(70, 'x')), line(std::string(30, 'y'))}, {80, 24});
  EXPECT_EQ(region.erase({40, 24}), "\r\x1b[2A\x1b[J") << "the first line takes two rows now";
}

TEST(ScreenRegion, AfterAResizeEverythingIsDrawnAgain) {
  ScreenRegion region;
  region.draw({line("a"), line("b")}, {80, 24});
  EXPECT_EQ(region.draw({line("a"), line("b")}, {100, 24}), "\r\x1b[1A\x1b[Ja\x1b[K\nb\x1b[K");
}

TEST(StyledLine, ColorsTakeNoColumns) {
  StyledLine made;
  made.add("ok", 32);
  made.add(" \xc3\xa9");
  EXPECT_EQ(made.text, "\x1b[32mok\x1b[0m \xc3\xa9");
  EXPECT_EQ(made.width, 4U);
}

}  // namespace
}  // namespace slipway::report
