#include "cli/rank_environment.h"

#include "slipway/core/format.h"

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

/// "10.0.0.2:8081"; an IPv6 address gets its brackets.
std::string with_port(const std::string& address, int port) {
  if (address.find(':') == std::string::npos) return fmt::format("{}:{}", address, port);
  return fmt::format("[{}]:{}", address, port);
}

}  // namespace

Environment rank_environment(const std::vector<fleet::Target>& targets, std::size_t position,
                             const std::string& coordinator, RankNames names) {
  if (!names.slipway && !names.megascale && !names.jax) return {};
  const Ranks ranks = ranks_of(targets, position);
  const std::string process = std::to_string(position);
  const std::string processes = std::to_string(targets.size());
  Environment all;
  const auto add = [&all](const char* name, std::string value) { all.emplace_back(name, std::move(value)); };
  if (names.slipway) {
    add("SLIPWAY_SLICE", std::to_string(ranks.slice));
    add("SLIPWAY_WORKER", std::to_string(ranks.worker));
    add("SLIPWAY_NUM_SLICES", std::to_string(ranks.slices));
    add("SLIPWAY_WORKERS_PER_SLICE", std::to_string(ranks.workers_of_slice));
    add("SLIPWAY_PROCESS_ID", process);
    add("SLIPWAY_NUM_PROCESSES", processes);
    add("SLIPWAY_COORDINATOR", coordinator);
  }
  if (names.megascale) {
    add("MEGASCALE_SLICE_ID", std::to_string(ranks.slice));
    add("MEGASCALE_NUM_SLICES", std::to_string(ranks.slices));
    add("MEGASCALE_COORDINATOR_ADDRESS", with_port(coordinator, kMegascalePort));
    add("MEGASCALE_PORT", std::to_string(kMegascalePort));
  }
  if (names.jax) {
    add("JAX_PROCESS_ID", process);
    add("JAX_NUM_PROCESSES", processes);
    add("JAX_PROCESS_COUNT", processes);
    add("JAX_COORDINATOR_ADDRESS", with_port(coordinator, kJaxPort));
  }
  return all;
}

}  // namespace slipway::cli
