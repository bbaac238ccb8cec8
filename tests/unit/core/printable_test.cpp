#include <gtest/gtest.h>

#include <random>

#include "slipway/core/text.h"

namespace slipway {
namespace {

TEST(Printable, LeavesTextAlone) {
  EXPECT_EQ(printable("loss=0.1\tstep 3 — größer 日本"), "loss=0.1\tstep 3 — größer 日本");
}

TEST(Printable, ShowsWhatCouldCommandATerminal) {
  EXPECT_EQ(printable("\x1b]0;title\x07"), "^[]0;title^G");
  EXPECT_EQ(printable("a\x7f"), "a^?");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "<U+009B>31m");
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "abc"),
            "<U+202E>abc");
}

TEST(Printable, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");           // cut off
}

TEST(Printable, LeavesNoControlByteOfAnyInput) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 2'000; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes += static_cast<char>(random());
    const std::string shown = printable(bytes);
    for (const char c : shown) ASSERT_TRUE(c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
    ASSERT_EQ(printable(shown), shown) << "not stable";
  }
}

TEST(DisplayWidth, CountsCodePoints) { EXPECT_EQ(display_width("größe"), 5U); }

}  // namespace
}  // namespace slipway
