#pragma once

#include <string>
#include <vector>

#include "cli/slice_source.h"
#include "slipway/model/selection.h"
#include "slipway/model/worker.h"
#include "slipway/tpu/client.h"

namespace slipway::cli {

/// A selected slice that could not be read: its workers are unknown, and count as missing.
struct MissingSlice {
  std::string name;
  std::size_t index = 0;
  Error error;
};

/// The workers of a resource that a selection names, in order of slices.
struct ResourceWorkers {
  std::vector<Worker> workers;
  std::vector<Node> nodes;  ///< of the slices that could be read, in order
  std::vector<MissingSlice> missing;
  std::vector<MissingSlice> without_host_keys;  ///< slices whose guest attributes could not be read
};

enum class HostKeys { kFetch, kSkip };

/// Asks the API for the selected slices, all at once, and (kFetch) for what their workers publish. Slices may
/// differ in their number of workers: a worker that is selected by number and that a slice does not have is
/// left out there. Errors: kUsage for a selection outside of all slices, and whatever kept every slice from
/// being read.
Result<ResourceWorkers> find_workers(tpu::Client& client, const SliceSet& slices,
                                     const Selection& chosen_slices, const Selection& chosen_workers,
                                     HostKeys host_keys);

}  // namespace slipway::cli
