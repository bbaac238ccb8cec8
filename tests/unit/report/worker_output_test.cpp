#include "slipway/report/worker_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/string_output.h"
#include "support/targets.h"

namespace slipway::report {
namespace {

using slipway::test::make_targets;
using slipway::test::StringStreams;
using ssh::Stream;

fleet::Outcome ended() {
  fleet::Outcome outcome;
  outcome.kind = fleet::OutcomeKind::kOk;
  outcome.started_at.emplace();
  return outcome;
}

class WorkerOutputTest : public ::testing::Test {
 protected:
  std::unique_ptr<WorkerOutput> make(OutputMode mode) { return make_worker_output(mode, targets_, console_); }
  void end_all(WorkerOutput& output) {
    for (std::size_t i = 0; i < targets_.size(); ++i) output.on_outcome(i, ended());
    EXPECT_TRUE(output.finish());
    console_.flush();
  }

  std::vector<fleet::Target> targets_ = make_targets(2, 2);
  StringStreams to_;
  Console console_{to_.streams};
};

using Prefixed = WorkerOutputTest;

TEST_F(Prefixed, LinesOfManyWorkersComeWholeAndLabelled) {
  const auto output = make(OutputMode::kPrefix);
  output->on_output(0, Stream::kOut, "hel");
  output->on_output(3, Stream::kOut, "other\n");
  output->on_output(0, Stream::kOut, "lo\n");
  console_.drain();
  EXPECT_EQ(to_.out->written, "qr-1/1: other\nqr-0/0: hello\n");
  EXPECT_EQ(to_.err->written, "");
}

TEST_F(Prefixed, StderrOfAWorkerGoesToOurStderr) {
  const auto output = make(OutputMode::kPrefix);
  output->on_output(1, Stream::kErr, "warning\n");
  console_.drain();
  EXPECT_EQ(to_.out->written, "");
  EXPECT_EQ(to_.err->written, "qr-0/1: warning\n");
}

TEST_F(Prefixed, AnUnfinishedLineEndsWithItsWorker) {
  const auto output = make(OutputMode::kPrefix);
  output->on_output(2, Stream::kOut, "no newline");
  console_.drain();
  EXPECT_EQ(to_.out->written, "");
  output->on_outcome(2, ended());
  console_.drain();
  EXPECT_EQ(to_.out->written, "qr-1/0: no newline\n");
}

TEST_F(Prefixed, OnATerminalAllTextBeginsInOneColumnAndASliceHasItsColor) {
  targets_ = make_targets(11, 1);
  to_.streams.out_is_tty = to_.streams.out_color = true;
  const auto output = make(OutputMode::kPrefix);
  output->on_output(1, Stream::kOut, "a\n");
  output->on_output(10, Stream::kOut, "b\n");
  console_.drain();
  EXPECT_EQ(to_.out->written, "\x1b[33mqr-1/0\x1b[0m:  a\n\x1b[36mqr-10/0\x1b[0m: b\n");
}

TEST_F(Prefixed, APipeGetsNoColumns) {
  targets_ = make_targets(11, 1);
  const auto output = make(OutputMode::kPrefix);
  output->on_output(1, Stream::kOut, "a\n");
  console_.drain();
  EXPECT_EQ(to_.out->written, "qr-1/0: a\n");
}

using NoOutput = WorkerOutputTest;

TEST_F(NoOutput, SwallowsAll) {
  const auto output = make(OutputMode::kNone);
  output->on_output(0, Stream::kOut, "x\n");
  output->on_output(0, Stream::kErr, "x\n");
  end_all(*output);
  EXPECT_EQ(to_.out->written + to_.err->written, "");
}

using Solo = WorkerOutputTest;

TEST_F(Solo, APipeGetsTheFirstWorkersBytesUntouched) {
  const std::string bytes("\0\x1b[2J\xff\r\n no newline", 19);
  for (const OutputMode mode : {OutputMode::kFirst, OutputMode::kRaw}) {
    to_.out->written.clear();
    const auto output = make(mode);
    output->on_output(0, Stream::kOut, bytes.substr(0, 3));
    output->on_output(2, Stream::kOut, "not shown");
    output->on_output(0, Stream::kOut, bytes.substr(3));
    end_all(*output);
    EXPECT_EQ(to_.out->written, bytes);
  }
}

TEST_F(Solo, ATerminalGetsItsLinesAsFarAsTheyCanBeShown) {
  to_.streams.out_is_tty = true;
  const auto output = make(OutputMode::kRaw);
  output->on_output(0, Stream::kOut, "\x1b[2Ja\nb");
  end_all(*output);
  EXPECT_EQ(to_.out->written, "^[[2Ja\nb\n");
}

class Folded : public WorkerOutputTest {
 protected:
  std::string fold(const std::vector<std::string>& texts, Stream stream = Stream::kOut) {
    const auto output = make(OutputMode::kFold);
    for (std::size_t i = 0; i < texts.size(); ++i) output->on_output(i, stream, texts[i]);
    end_all(*output);
    return stream == Stream::kOut ? to_.out->written : to_.err->written;
  }
};

TEST_F(Folded, WhatAllSayIsShownOnce) {
  EXPECT_EQ(fold({"a\nb\n", "a\nb\n", "a\nb\n", "a\nb\n"}), "== qr-[0-1]/[0-1] (4 workers)\na\nb\n");
}

TEST_F(Folded, TheLargestGroupComesFirstAndOthersAsADifference) {
  const std::string most = "step 1\nloss 2\nstep 2\nloss 1\nend\n";
  EXPECT_EQ(fold({"step 1\nloss 9\nstep 2\nloss 1\nend\n", most, most, most}),
            "== qr-0/1,qr-1/[0-1] (3 workers)\n" + most +
                "== qr-0/0 (1 worker): the same but for\n@@ line 2 @@\n- loss 2\n+ loss 9\n");
}

TEST_F(Folded, WhatHasNothingInCommonIsShownWhole) {
  EXPECT_EQ(fold({"a\n", "a\n", "a\n", "b\n"}),
            "== qr-0/[0-1],qr-1/0 (3 workers)\na\n== qr-1/1 (1 worker)\nb\n");
}

TEST_F(Folded, AWorkerThatSaidNothingIsNamed) {
  EXPECT_EQ(fold({"a\n", "a\n", "a\n"}),
            "== qr-0/[0-1],qr-1/0 (3 workers)\na\n== qr-1/1 (1 worker): nothing\n");
}

TEST_F(Folded, WhenNobodySaysAnythingNothingIsShown) { EXPECT_EQ(fold({}), ""); }

TEST_F(Folded, StdoutAndStderrAreFoldedApart) {
  EXPECT_EQ(fold({"a\n", "a\n", "a\n", "a\n"}, Stream::kErr), "== qr-[0-1]/[0-1] (4 workers)\na\n");
  EXPECT_EQ(to_.out->written, "");
}

TEST_F(Folded, AWorkerThatNeverRanIsNotOneThatSaidNothing) {
  const auto output = make(OutputMode::kFold);
  output->on_output(0, Stream::kOut, "a\n");
  output->on_outcome(0, ended());
  for (std::size_t i = 1; i < 4; ++i) output->on_outcome(i, {});
  EXPECT_TRUE(output->finish());
  console_.flush();
  EXPECT_EQ(to_.out->written, "== qr-0/0 (1 worker)\na\n");
}

TEST_F(Folded, ATerminalGetsNoControlBytesInADifferenceEither) {
  to_.streams.out_is_tty = true;
  EXPECT_EQ(fold({"x\ny\nz\n", "x\ny\nz\n", "x\ny\nz\n", "x\n\x1b[2J\nz\n"}).find('\x1b'), std::string::npos);
}

TEST_F(Folded, ThousandsOfWorkersThatSayTheSameTakeTheMemoryOfOne) {
  targets_ = make_targets(64, 64);
  const auto output = make(OutputMode::kFold);
  const std::string piece(16 * 1024, 'x');
  for (int round = 0; round < 4; ++round) {  // 256 MiB in all
    for (std::size_t i = 0; i < targets_.size(); ++i) output->on_output(i, Stream::kOut, piece);
  }
  end_all(*output);
  EXPECT_LT(to_.out->written.size(), std::size_t{80} << 10);
}

}  // namespace
}  // namespace slipway::report
