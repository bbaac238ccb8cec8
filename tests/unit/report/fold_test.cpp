#include "slipway/report/fold.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/targets.h"

namespace slipway::report {
namespace {

using slipway::test::make_targets;

std::vector<std::size_t> all_of(const std::vector<fleet::Target>& targets) {
  std::vector<std::size_t> positions(targets.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

fleet::Target target(const std::string& slice, std::size_t slice_index, std::size_t worker) {
  fleet::Target made;
  made.slice = slice;
  made.slice_index = slice_index;
  made.worker = worker;
  return made;
}

TEST(Fold, AWholeResourceIsOneGroup) {
  const auto targets = make_targets(4, 2);
  EXPECT_EQ(fold_labels(targets, all_of(targets)), "qr-[0-3]/[0-1]");
}

TEST(Fold, OneWorkerKeepsItsPlainLabel) { EXPECT_EQ(fold_labels(make_targets(4, 2), {3}), "qr-1/1"); }

TEST(Fold, NothingIsNothing) { EXPECT_EQ(fold_labels(make_targets(4, 2), {}), ""); }

TEST(Fold, SlicesWithOtherWorkersAreAnotherGroup) {
  EXPECT_EQ(fold_labels(make_targets(4, 4), {0, 1, 2, 4, 5, 6, 12, 15}), "qr-[0-1]/[0-2],qr-3/[0,3]");
}

TEST(Fold, GapsInNumbersAreSaid) {
  EXPECT_EQ(fold_labels(make_targets(12, 1), {0, 1, 2, 5, 9, 10, 11}), "qr-[0-2,5,9-11]/0");
}

TEST(Fold, NamesWithoutANumberStandAlone) {
  const std::vector<fleet::Target> targets = {target("alpha", 0, 0), target("beta", 1, 0),
                                              target("beta", 1, 1)};
  EXPECT_EQ(fold_labels(targets, all_of(targets)), "alpha/0,beta/[0-1]");
}

TEST(Fold, NumbersThatWouldReadDifferentlyAreNotFolded) {
  const std::vector<fleet::Target> targets = {target("n-1", 0, 0), target("n-01", 1, 0), target("n-2", 2, 0)};
  EXPECT_EQ(fold_labels(targets, all_of(targets)), "n-[1-2]/0,n-01/0");
}

TEST(Fold, ManyGroupsAreCutShortWithTheirCount) {
  std::vector<fleet::Target> targets;
  for (std::size_t i = 0; i < 20; ++i) targets.push_back(target("s" + std::string(i + 1, 'x'), i, 0));
  EXPECT_EQ(fold_labels(targets, all_of(targets), 2), "sx/0,sxx/0,... (20 in all)");
}

TEST(Fold, TheLargestKnownFleetIsOneGroup) {
  const auto targets = make_targets(199, 64);
  EXPECT_EQ(fold_labels(targets, all_of(targets)), "qr-[0-198]/[0-63]");
}

}  // namespace
}  // namespace slipway::report
