#include "slipway/report/commentary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_clock.h"
#include "support/string_output.h"
#include "support/targets.h"

namespace slipway::report {
namespace {

using slipway::test::FakeClock;
using slipway::test::make_targets;
using slipway::test::StringStreams;
using ssh::Phase;
using std::chrono::seconds;
using ::testing::EndsWith;

fleet::Outcome exit_with(int code) {
  fleet::Outcome outcome;
  outcome.kind = code == 0 ? fleet::OutcomeKind::kOk : fleet::OutcomeKind::kExit;
  outcome.exit_code = code;
  return outcome;
}

class CommentaryTest : public ::testing::Test {
 protected:
  Commentary make(Commentary::Options options = {}) { return {targets_, console_, clock_, options}; }
  std::string said() const { return to_.err->written; }

  std::vector<fleet::Target> targets_ = make_targets(2, 2);
  StringStreams to_;
  Console console_{to_.streams};
  FakeClock clock_;
};

TEST_F(CommentaryTest, AWorkerThatFailedIsSaidAtOnce) {
  Commentary commentary = make();
  commentary.on_outcome(0, exit_with(0));
  commentary.on_outcome(2, exit_with(3));
  commentary.drain();
  EXPECT_EQ(said(), "slipway: qr-1/0: exit 3\n");
}

TEST_F(CommentaryTest, OnlyTheFirstFailuresAreSaidOneByOne) {
  targets_ = make_targets(10, 10);
  Commentary commentary = make();
  for (std::size_t i = 0; i < targets_.size(); ++i) commentary.on_outcome(i, exit_with(1));
  commentary.drain();
  EXPECT_EQ(std::count(to_.err->written.begin(), to_.err->written.end(), '\n'), 11);
  EXPECT_THAT(said(), EndsWith("slipway: more workers fail; the sum will name them\n"));
}

TEST_F(CommentaryTest, NoticesAreSaidAtOnce) {
  Commentary commentary = make();
  commentary.on_notice("interrupted");
  EXPECT_EQ(said(), "slipway: interrupted\n");
}

TEST_F(CommentaryTest, WhoKeepsTheGangWaitingIsNamed) {
  Commentary commentary = make({true, false});
  for (std::size_t i = 0; i < 4; ++i) commentary.on_phase(i, Phase::kConnect);
  for (std::size_t i = 0; i < 3; ++i) commentary.on_phase(i, Phase::kHeld);
  commentary.drain();
  EXPECT_EQ(said(), "");
  EXPECT_EQ(commentary.next_drain(), clock_.now() + seconds(10));
  clock_.advance(seconds(10));
  commentary.drain();
  EXPECT_EQ(said(), "slipway: 3 of 4 are ready and wait for qr-1/1 (connecting for 10s)\n");
  EXPECT_EQ(commentary.next_drain(), clock_.now() + seconds(10)) << "and again when twice as long has passed";
}

TEST_F(CommentaryTest, AStragglerIsNamedWhenTheOthersAreDone) {
  Commentary commentary = make({true, false});
  for (std::size_t i = 0; i < 4; ++i) commentary.on_phase(i, Phase::kRun);
  EXPECT_EQ(commentary.next_drain(), std::nullopt) << "all run: nobody is late";
  clock_.advance(seconds(100));
  for (std::size_t i = 0; i < 3; ++i) commentary.on_outcome(i, exit_with(0));
  clock_.advance(seconds(10));
  commentary.drain();
  EXPECT_EQ(said(), "slipway: 3 of 4 have ended; qr-1/1 still runs (1m50s)\n");
  clock_.advance(seconds(9));
  commentary.drain();
  clock_.advance(seconds(1));
  commentary.drain();
  EXPECT_EQ(std::count(to_.err->written.begin(), to_.err->written.end(), '\n'), 2);
  commentary.on_outcome(3, exit_with(0));
  EXPECT_EQ(commentary.next_drain(), std::nullopt);
}

TEST_F(CommentaryTest, ASilentRunGivesASignOfLifeEachMinute) {
  Commentary commentary = make({false, true});
  commentary.on_phase(0, Phase::kRun);
  clock_.advance(seconds(59));
  commentary.drain();
  EXPECT_EQ(said(), "");
  clock_.advance(seconds(1));
  commentary.drain();
  EXPECT_EQ(said(), "slipway: 3 waiting, 1 running\n");
  EXPECT_EQ(commentary.next_drain(), clock_.now() + seconds(60));
}

TEST_F(CommentaryTest, WithoutEitherItNeverWakesTheEngine) {
  EXPECT_EQ(make({false, false}).next_drain(), std::nullopt);
}

}  // namespace
}  // namespace slipway::report
