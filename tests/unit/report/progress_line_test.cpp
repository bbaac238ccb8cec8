#include "slipway/report/progress_line.h"

#include <gtest/gtest.h>

namespace slipway::report {
namespace {

fleet::Outcome outcome(fleet::OutcomeKind kind) {
  fleet::Outcome made;
  made.kind = kind;
  return made;
}

TEST(ProgressLine, CountsWorkersByWhereTheyAre) {
  ProgressLine line(6);
  EXPECT_EQ(line.text(80), "6 waiting");
  line.on_phase(0, ssh::Phase::kConnect);
  line.on_phase(1, ssh::Phase::kAuth);
  line.on_phase(2, ssh::Phase::kHeld);
  line.on_phase(3, ssh::Phase::kRun);
  line.on_outcome(4, outcome(fleet::OutcomeKind::kOk));
  EXPECT_EQ(line.text(80), "1 waiting, 2 connecting, 1 ready, 1 running, 1 ended");
}

TEST(ProgressLine, SaysHowManyDidNotEndWell) {
  ProgressLine line(2);
  line.on_outcome(0, outcome(fleet::OutcomeKind::kLost));
  EXPECT_FALSE(line.all_ended());
  line.on_outcome(1, outcome(fleet::OutcomeKind::kOk));
  EXPECT_TRUE(line.all_ended());
  EXPECT_EQ(line.text(80), "2 ended (1 not ok)");
}

TEST(ProgressLine, NeverWrapsInANarrowTerminal) { EXPECT_EQ(ProgressLine(123'456).text(10), "123456 wai"); }

}  // namespace
}  // namespace slipway::report
