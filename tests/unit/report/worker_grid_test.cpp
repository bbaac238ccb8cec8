#include "slipway/report/worker_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/targets.h"

namespace slipway::report {
namespace {

using slipway::test::make_targets;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr TerminalSize kSmall{80, 24};
constexpr TerminalSize kLarge{200, 60};

fleet::Outcome outcome(fleet::OutcomeKind kind) {
  fleet::Outcome made;
  made.kind = kind;
  return made;
}

std::vector<std::string> texts(const std::vector<StyledLine>& lines) {
  std::vector<std::string> texts;
  for (const StyledLine& line : lines) texts.push_back(line.text);
  return texts;
}

std::vector<StyledLine> draw(const std::vector<fleet::Target>& targets, const RunProgress& progress,
                             TerminalSize size, bool color = false) {
  return draw_grid(targets, progress, std::chrono::seconds(64), size, {size.rows - 1, color});
}

TEST(WorkerGrid, HasALetterForEachWorkerAndItsKeyOnTop) {
  const auto targets = make_targets(2, 4);
  RunProgress progress(8, {});
  progress.on_phase(1, ssh::Phase::kAuth, {});
  progress.on_phase(2, ssh::Phase::kHeld, {});
  progress.on_phase(3, ssh::Phase::kRun, {});
  progress.on_outcome(4, outcome(fleet::OutcomeKind::kOk), {});
  progress.on_outcome(5, outcome(fleet::OutcomeKind::kExit), {});
  progress.on_outcome(6, outcome(fleet::OutcomeKind::kLost), {});
  progress.on_outcome(7, outcome(fleet::OutcomeKind::kNotStarted), {});
  EXPECT_THAT(
      texts(draw(targets, progress, {200, 24})),
      ElementsAre("1m04s  . 1 waiting  c 1 connecting  = 1 ready  r 1 running  o 1 ok  F 1 failed  X 1 "
                  "unreachable or lost  - 1 not started",
                  "qr-0   .c=r", "qr-1   oFX-"));
}

TEST(WorkerGrid, FourThousandWorkersFitTheSmallestWindow) {
  const auto targets = make_targets(16, 256);
  RunProgress progress(targets.size(), {});
  progress.on_outcome(5, outcome(fleet::OutcomeKind::kLost), {});
  const auto lines = texts(draw(targets, progress, kSmall));
  ASSERT_EQ(lines.size(), 17U);
  EXPECT_THAT(lines[0], HasSubstr("1 letter = 4 workers"));
  EXPECT_EQ(lines[1], "qr-0      .X" + std::string(62, '.')) << "the worst of four is shown";
}

TEST(WorkerGrid, InALargeWindowEveryWorkerHasItsOwnLetter) {
  const auto targets = make_targets(16, 256);
  const RunProgress progress(targets.size(), {});
  const auto lines = texts(draw(targets, progress, kLarge));
  std::ptrdiff_t letters = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) letters += std::count(lines[i].begin(), lines[i].end(), '.');
  EXPECT_EQ(letters, 4096);
  EXPECT_THAT(lines[0], ::testing::Not(HasSubstr("letter")));
}

TEST(WorkerGrid, FitsAnyWindowWithAnyNumberOfWorkers) {
  for (const auto& [slices, workers] :
       {std::pair<int, int>{1, 1}, {1, 300}, {3, 7}, {199, 64}, {256, 16}, {3000, 1}}) {
    const auto targets = make_targets(static_cast<std::size_t>(slices), static_cast<std::size_t>(workers));
    const RunProgress progress(targets.size(), {});
    for (const TerminalSize size :
         {kSmall, kLarge, TerminalSize{1, 1}, {7, 3}, {20, 10}, {1000, 4}, {80, 2}}) {
      for (const int rows : {size.rows - 1, size.rows / 3}) {
        const auto lines = draw_grid(targets, progress, std::chrono::hours(30), size, {rows, true});
        EXPECT_LE(lines.size(), std::max(1, rows)) << slices << "x" << workers << " in " << size.columns;
        for (const StyledLine& line : lines)
          ASSERT_LE(line.width, static_cast<std::size_t>(std::max(size.columns - 1, 1)))
              << slices << "x" << workers << " in " << size.columns;
      }
    }
  }
}

TEST(WorkerGrid, ColorsAreSharedByNeighboursAndTakeNoRoom) {
  const auto targets = make_targets(1, 4);
  RunProgress progress(4, {});
  for (std::size_t i = 0; i < 4; ++i) progress.on_outcome(i, outcome(fleet::OutcomeKind::kOk), {});
  const auto lines = draw(targets, progress, kSmall, true);
  EXPECT_EQ(lines[1].text, "qr-0/0 \x1b[32moooo\x1b[0m");
  EXPECT_EQ(lines[1].width, 11U);
}

TEST(WorkerGrid, ANameCannotCommandTheTerminal) {
  auto targets = make_targets(1, 2);
  targets[0].slice = targets[1].slice = "\x1b[2Jx";
  const auto lines = draw(targets, RunProgress(2, {}), kSmall);
  EXPECT_EQ(lines[1].text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace slipway::report
