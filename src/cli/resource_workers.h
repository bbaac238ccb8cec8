#pragma once

#include <string>
#include <vector>

#include "slipway/model/queued_resource.h"
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

/// Asks the API for the selected slices, all at once, and (kFetch) for what their workers publish. Errors:
/// kUsage for a selection outside of the resource, and whatever kept every slice from being read.
Result<ResourceWorkers> find_workers(tpu::Client& client, const QueuedResource& resource,
                                     const Selection& slices, const Selection& workers, HostKeys host_keys);

}  // namespace slipway::cli
