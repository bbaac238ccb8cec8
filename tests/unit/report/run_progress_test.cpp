#include "slipway/report/run_progress.h"

#include <gtest/gtest.h>

namespace slipway::report {
namespace {

using std::chrono::seconds;

Clock::time_point at(int second) { return Clock::time_point(seconds(second)); }

fleet::Outcome outcome(fleet::OutcomeKind kind) {
  fleet::Outcome made;
  made.kind = kind;
  return made;
}

TEST(RunProgress, CountsWorkersByWhereTheyAre) {
  RunProgress progress(6, at(0));
  EXPECT_EQ(progress.text(), "6 waiting");
  progress.on_phase(0, ssh::Phase::kConnect, at(1));
  progress.on_phase(1, ssh::Phase::kAuth, at(1));
  progress.on_phase(2, ssh::Phase::kHeld, at(1));
  progress.on_phase(3, ssh::Phase::kRun, at(1));
  progress.on_outcome(4, outcome(fleet::OutcomeKind::kOk), at(1));
  EXPECT_EQ(progress.text(), "1 waiting, 2 connecting, 1 ready, 1 running, 1 ended");
  EXPECT_EQ(progress.all_in(RunProgress::kConnecting), (std::vector<std::size_t>{0, 1}));
}

TEST(RunProgress, SaysHowManyDidNotEndWell) {
  RunProgress progress(2, at(0));
  progress.on_outcome(0, outcome(fleet::OutcomeKind::kLost), at(1));
  EXPECT_FALSE(progress.all_ended());
  progress.on_outcome(1, outcome(fleet::OutcomeKind::kOk), at(1));
  EXPECT_TRUE(progress.all_ended());
  EXPECT_EQ(progress.text(), "2 ended (1 not ok)");
}

TEST(RunProgress, AWorkerWhoseTryFailedStillConnectsAndDoesNotRun) {
  RunProgress progress(2, at(0));
  progress.on_phase(0, ssh::Phase::kConnect, at(1));
  progress.on_phase(0, ssh::Phase::kClosed, at(2));
  progress.on_phase(1, ssh::Phase::kHeld, at(1));
  progress.on_phase(1, ssh::Phase::kClosed, at(2));
  EXPECT_EQ(progress.text(), "2 connecting");
  progress.on_phase(0, ssh::Phase::kConnect, at(3));
  EXPECT_EQ(progress.text(), "2 connecting");
  EXPECT_EQ(progress.since(0), at(1));
}

TEST(RunProgress, KnowsSinceWhenAWorkerIsWhereItIs) {
  RunProgress progress(1, at(0));
  progress.on_phase(0, ssh::Phase::kConnect, at(3));
  progress.on_phase(0, ssh::Phase::kHandshake, at(5));
  EXPECT_EQ(progress.since(0), at(3)) << "still connecting";
  progress.on_phase(0, ssh::Phase::kRun, at(7));
  EXPECT_EQ(progress.since(0), at(7));
}

}  // namespace
}  // namespace slipway::report
