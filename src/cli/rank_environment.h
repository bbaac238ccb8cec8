#pragma once

#include <string>
#include <utility>
#include <vector>

#include "slipway/fleet/target.h"

namespace slipway::cli {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Whose names for a worker's place in the whole are set.
struct RankNames {
  bool slipway = false;
  bool megascale = false;
  bool jax = false;
};

/// The ports of the two coordinators on the worker that is process 0: what the multislice launchers of
/// MaxText, Levanter and Ray use for MEGASCALE, and JAX's own default on Cloud TPU.
inline constexpr int kMegascalePort = 8081;
inline constexpr int kJaxPort = 8476;

/// - slipway: SLIPWAY_SLICE, _WORKER, _NUM_SLICES, _WORKERS_PER_SLICE, _PROCESS_ID, _NUM_PROCESSES,
/// _COORDINATOR
/// - megascale: MEGASCALE_SLICE_ID, _NUM_SLICES, _COORDINATOR_ADDRESS (with port), _PORT
/// - jax: JAX_PROCESS_ID, _NUM_PROCESSES and _PROCESS_COUNT (both are in use), _COORDINATOR_ADDRESS (with
/// port)
///
/// for `targets[position]`. They count what was selected, so that ids are dense whatever --node and --worker
/// leave out: slice 0 is the first selected one, the process id is the position among the selected, and the
/// coordinator is `coordinator`, the address of process 0.
Environment rank_environment(const std::vector<fleet::Target>& targets, std::size_t position,
                             const std::string& coordinator, RankNames names);

}  // namespace slipway::cli
