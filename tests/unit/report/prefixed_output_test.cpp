#include "slipway/report/prefixed_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/string_output.h"
#include "support/targets.h"

namespace slipway::report {
namespace {

using slipway::test::make_targets;
using slipway::test::StringStreams;
using ssh::Stream;

fleet::Outcome exit_with(int code) {
  fleet::Outcome outcome;
  outcome.kind = code == 0 ? fleet::OutcomeKind::kOk : fleet::OutcomeKind::kExit;
  outcome.exit_code = code;
  return outcome;
}

class PrefixedOutputTest : public ::testing::Test {
 protected:
  PrefixedOutput make(OutputMode mode = OutputMode::kPrefix) { return {targets_, to_.streams, mode}; }

  std::vector<fleet::Target> targets_ = make_targets(2, 2);
  StringStreams to_;
};

TEST_F(PrefixedOutputTest, LinesOfManyWorkersComeWholeAndLabelled) {
  PrefixedOutput output = make();
  output.on_output(0, Stream::kOut, "hel");
  output.on_output(3, Stream::kOut, "other\n");
  output.on_output(0, Stream::kOut, "lo\n");
  output.drain();
  EXPECT_EQ(to_.out->written, "qr-1/1: other\nqr-0/0: hello\n");
  EXPECT_EQ(to_.err->written, "");
}

TEST_F(PrefixedOutputTest, StderrOfAWorkerGoesToOurStderr) {
  PrefixedOutput output = make();
  output.on_output(1, Stream::kErr, "warning\n");
  output.drain();
  EXPECT_EQ(to_.out->written, "");
  EXPECT_EQ(to_.err->written, "qr-0/1: warning\n");
}

TEST_F(PrefixedOutputTest, AnUnfinishedLineEndsWithItsWorker) {
  PrefixedOutput output = make();
  output.on_output(2, Stream::kOut, "no newline");
  output.drain();
  EXPECT_EQ(to_.out->written, "");
  output.on_outcome(2, exit_with(0));
  output.drain();
  EXPECT_EQ(to_.out->written, "qr-1/0: no newline\n");
}

TEST_F(PrefixedOutputTest, APipeGetsTheLinesOwnBytes) {
  PrefixedOutput output = make();
  output.on_output(0, Stream::kOut, "\x1b[31m\xff 10%\r20%\r\n");
  output.drain();
  EXPECT_EQ(to_.out->written, "qr-0/0: \x1b[31m\xff 10%\r20%\r\n");
}

TEST_F(PrefixedOutputTest, ATerminalGetsOnlyWhatItCanShow) {
  to_.streams.out_is_tty = true;
  PrefixedOutput output = make();
  output.on_output(0, Stream::kOut, "\x1b[31m\xff 10%\r\x1b[2K20%\r\n");
  output.drain();
  EXPECT_EQ(to_.out->written, "qr-0/0: ^[[2K20%\n");
}

TEST_F(PrefixedOutputTest, ACutLineIsMarked) {
  PrefixedOutput output = make();
  const std::string longest(LineAssembler::kLongest, 'x');
  output.on_output(0, Stream::kOut, longest + "rest\n");
  output.drain();
  EXPECT_EQ(to_.out->written, "qr-0/0: " + longest + " [the line goes on]\nqr-0/0: rest\n");
}

TEST_F(PrefixedOutputTest, NoneSwallowsOutputButNotNotices) {
  PrefixedOutput output = make(OutputMode::kNone);
  output.on_output(0, Stream::kOut, "x\n");
  output.on_output(0, Stream::kErr, "x\n");
  output.on_notice("interrupted");
  output.drain();
  EXPECT_EQ(to_.out->written, "");
  EXPECT_EQ(to_.err->written, "slipway: interrupted\n");
}

TEST_F(PrefixedOutputTest, AStalledReaderCongestsUntilItReadsAgain) {
  PrefixedOutput output = make();
  to_.out->stalled = true;
  const std::string line = std::string(1'000, 'x') + "\n";
  while (!output.congested()) output.on_output(0, Stream::kOut, line);
  EXPECT_LT(to_.out->backlog(), PrefixedOutput::kMostBacklog + 2 * line.size());
  output.drain();
  EXPECT_TRUE(output.congested());
  to_.out->stalled = false;
  output.drain();
  EXPECT_FALSE(output.congested());
}

TEST_F(PrefixedOutputTest, AReaderThatLeftIsSaidOnceAndStopsNothing) {
  PrefixedOutput output = make();
  to_.out->reader_leaves();
  output.on_output(0, Stream::kOut, "lost\n");
  output.drain();
  output.drain();
  output.on_output(0, Stream::kErr, "kept\n");
  output.drain();
  EXPECT_EQ(to_.err->written, "slipway: nobody reads our stdout any more; the workers go on\nqr-0/0: kept\n");
  EXPECT_FALSE(output.congested());
}

class StillClock final : public Clock {
 public:
  time_point now() const override { return time; }
  std::chrono::system_clock::time_point wall_now() const override { return {}; }
  bool sleep_until(time_point when) override {
    time = when;
    return true;
  }
  time_point time{std::chrono::hours(1)};
};

TEST_F(PrefixedOutputTest, ProgressIsTheLastLineOfTheTerminalAndGivesWayToLines) {
  to_.streams.out_is_tty = to_.streams.err_redraws = true;
  PrefixedOutput output = make();
  StillClock clock;
  output.show_progress(clock);
  output.on_phase(0, ssh::Phase::kConnect);
  output.drain();
  EXPECT_EQ(to_.err->written, "3 waiting, 1 connecting");
  output.on_output(0, Stream::kOut, "line\n");
  EXPECT_EQ(to_.err->written, "3 waiting, 1 connecting\r\x1b[K");
  output.drain();
  EXPECT_EQ(output.next_drain(), clock.time + std::chrono::milliseconds(100));
  EXPECT_EQ(to_.err->written, "3 waiting, 1 connecting\r\x1b[K");
  clock.time += std::chrono::milliseconds(100);
  output.drain();
  EXPECT_EQ(to_.err->written, "3 waiting, 1 connecting\r\x1b[K3 waiting, 1 connecting");
  EXPECT_EQ(output.next_drain(), std::nullopt);
}

TEST_F(PrefixedOutputTest, ProgressIsGoneWhenAllHaveEnded) {
  to_.streams.err_redraws = true;
  PrefixedOutput output = make();
  StillClock clock;
  output.show_progress(clock);
  output.drain();
  for (std::size_t i = 0; i < targets_.size(); ++i) output.on_outcome(i, exit_with(0));
  output.drain();
  EXPECT_EQ(to_.err->written, "4 waiting\r\x1b[K");
  EXPECT_EQ(output.next_drain(), std::nullopt);
}

TEST_F(PrefixedOutputTest, WithoutATerminalThereIsNoProgress) {
  PrefixedOutput output = make();
  StillClock clock;
  output.show_progress(clock);
  output.on_phase(0, ssh::Phase::kConnect);
  output.drain();
  EXPECT_EQ(to_.err->written, "");
}

TEST_F(PrefixedOutputTest, AWorkerThatFailedIsSaidAtOnce) {
  PrefixedOutput output = make();
  output.on_outcome(0, exit_with(0));
  output.on_outcome(2, exit_with(3));
  output.drain();
  EXPECT_EQ(to_.err->written, "slipway: qr-1/0: exit 3\n");
}

TEST_F(PrefixedOutputTest, OnlyTheFirstFailuresAreSaidOneByOne) {
  targets_ = make_targets(10, 10);
  PrefixedOutput output = make();
  for (std::size_t i = 0; i < targets_.size(); ++i) output.on_outcome(i, exit_with(1));
  output.drain();
  EXPECT_EQ(std::count(to_.err->written.begin(), to_.err->written.end(), '\n'), 11);
  EXPECT_THAT(to_.err->written, ::testing::EndsWith("slipway: more workers fail; the sum will name them\n"));
}

}  // namespace
}  // namespace slipway::report
