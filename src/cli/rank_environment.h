#pragma once

#include <string>
#include <utility>
#include <vector>

#include "slipway/fleet/target.h"

namespace slipway::cli {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// SLIPWAY_SLICE, _WORKER, _NUM_SLICES, _WORKERS_PER_SLICE, _PROCESS_ID, _NUM_PROCESSES and _COORDINATOR for
/// `targets[position]`. They count what was selected, so that ids are dense whatever --node and --worker
/// leave out: slice 0 is the first selected one, the process id is the position among the selected, and the
/// coordinator is `coordinator`, the address of process 0.
Environment rank_environment(const std::vector<fleet::Target>& targets, std::size_t position,
                             const std::string& coordinator);

}  // namespace slipway::cli
