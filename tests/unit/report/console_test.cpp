#include "slipway/report/console.h"

#include <gtest/gtest.h>

#include "support/string_output.h"

namespace slipway::report {
namespace {

using slipway::test::StringStreams;
using ssh::Stream;

class ConsoleTest : public ::testing::Test {
 protected:
  StyledLine line(const std::string& text) {
    StyledLine made;
    made.add(text);
    return made;
  }

  StringStreams to_;
  Console console_{to_.streams};
};

TEST_F(ConsoleTest, APipeGetsTheLinesOwnBytes) {
  console_.worker_line(Stream::kOut, "qr-0/0: ", "\x1b[31m\xff 10%\r20%\r", LineEnd::kNewline);
  console_.drain();
  EXPECT_EQ(to_.out->written, "qr-0/0: \x1b[31m\xff 10%\r20%\r\n");
}

TEST_F(ConsoleTest, ATerminalGetsOnlyWhatItCanShow) {
  to_.streams.out_is_tty = true;
  console_.worker_line(Stream::kOut, "qr-0/0: ", "\x1b[31m\xff 10%\r\x1b[2K20%\r", LineEnd::kNewline);
  console_.drain();
  EXPECT_EQ(to_.out->written, "qr-0/0: ^[[2K20%\n");
}

TEST_F(ConsoleTest, ACutLineIsMarked) {
  console_.worker_line(Stream::kErr, "", "xx", LineEnd::kCut);
  console_.drain();
  EXPECT_EQ(to_.err->written, "xx [the line goes on]\n");
}

TEST_F(ConsoleTest, AStalledReaderCongestsUntilItReadsAgain) {
  to_.out->stalled = true;
  const std::string line(1'000, 'x');
  while (!console_.congested()) console_.worker_line(Stream::kOut, "", line, LineEnd::kNewline);
  EXPECT_LT(to_.out->backlog(), Console::kMostBacklog + 2 * line.size());
  console_.drain();
  EXPECT_TRUE(console_.congested());
  to_.out->stalled = false;
  console_.drain();
  EXPECT_FALSE(console_.congested());
}

TEST_F(ConsoleTest, AReaderThatLeftIsSaidOnceAndStopsNothing) {
  to_.out->reader_leaves();
  console_.worker_line(Stream::kOut, "", "lost", LineEnd::kNewline);
  console_.drain();
  console_.drain();
  console_.worker_line(Stream::kErr, "", "kept", LineEnd::kNewline);
  console_.drain();
  EXPECT_EQ(to_.err->written, "slipway: nobody reads our stdout any more; the workers go on\nkept\n");
  EXPECT_FALSE(console_.congested());
}

TEST_F(ConsoleTest, WhatIsDrawnStepsAsideForALineOnTheSameTerminal) {
  to_.streams.out_is_tty = true;
  ASSERT_TRUE(console_.draw({line("4 waiting")}, {80, 24}));
  EXPECT_EQ(to_.err->written, "4 waiting\x1b[K");
  console_.worker_line(Stream::kOut, "", "line", LineEnd::kNewline);
  EXPECT_EQ(to_.err->written, "4 waiting\x1b[K\r\x1b[J") << "before the line";
  EXPECT_FALSE(console_.draw({line("again")}, {80, 24})) << "not before the line is out";
  console_.drain();
  EXPECT_TRUE(console_.draw({line("again")}, {80, 24}));
}

TEST_F(ConsoleTest, WhatIsDrawnStaysWhenTheLineGoesIntoAPipe) {
  console_.draw({line("4 waiting")}, {80, 24});
  console_.worker_line(Stream::kOut, "", "line", LineEnd::kNewline);
  EXPECT_TRUE(console_.has_drawing());
}

}  // namespace
}  // namespace slipway::report
