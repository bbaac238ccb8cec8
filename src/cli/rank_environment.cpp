#include "cli/rank_environment.h"

namespace slipway::cli {
namespace {

struct Ranks {
  std::size_t slice = 0;
  std::size_t worker = 0;
  std::size_t slices = 0;
  std::size_t workers_of_slice = 0;
};

/// Targets come in order of slices, so a slice is a run of equal slice_index.
Ranks ranks_of(const std::vector<fleet::Target>& targets, std::size_t position) {
  Ranks ranks;
  std::size_t first_of_slice = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i == 0 || targets[i].slice_index != targets[i - 1].slice_index) {
      first_of_slice = i;
      ++ranks.slices;
    }
    if (i == position) {
      ranks.slice = ranks.slices - 1;
      ranks.worker = i - first_of_slice;
    }
    ranks.workers_of_slice += targets[i].slice_index == targets[position].slice_index ? 1 : 0;
  }
  return ranks;
}

}  // namespace

Environment rank_environment(const std::vector<fleet::Target>& targets, std::size_t position,
                             const std::string& coordinator) {
  const Ranks ranks = ranks_of(targets, position);
  return {{"SLIPWAY_SLICE", std::to_string(ranks.slice)},
          {"SLIPWAY_WORKER", std::to_string(ranks.worker)},
          {"SLIPWAY_NUM_SLICES", std::to_string(ranks.slices)},
          {"SLIPWAY_WORKERS_PER_SLICE", std::to_string(ranks.workers_of_slice)},
          {"SLIPWAY_PROCESS_ID", std::to_string(position)},
          {"SLIPWAY_NUM_PROCESSES", std::to_string(targets.size())},
          {"SLIPWAY_COORDINATOR", coordinator}};
}

}  // namespace slipway::cli
