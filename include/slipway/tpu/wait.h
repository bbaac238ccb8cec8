#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/tpu/client.h"

namespace slipway::tpu {

/// When to look again: quickly at first, then ever more slowly, with jitter.
struct PollPolicy {
  std::chrono::milliseconds first{500};
  double factor = 1.4;
  std::chrono::milliseconds maximum{30'000};
  Clock::duration delay(int poll, const RandomUnit& random) const;
};

/// What a wait waits for.
enum class Goal {
  kState,    ///< one of `states`
  kReady,    ///< ACTIVE, and every node READY
  kDeleted,  ///< the resource is gone
};
struct WaitOptions {
  Goal goal = Goal::kState;
  std::set<QueuedResourceState> states;              ///< for kState
  std::optional<std::chrono::milliseconds> timeout;  ///< none: as long as it takes; 0: look once
  PollPolicy poll;
};

/// What a wait saw at one look; nothing in `resource` once it is gone.
struct Sight {
  std::optional<QueuedResource> resource;
  std::size_t nodes_ready = 0;  ///< counted for kReady only
  std::size_t nodes_total = 0;
  bool recreated =
      false;  ///< another resource stands under the name than at the first look (createTime changed)
  Clock::duration elapsed{};
};
using OnSight = std::function<void(const Sight&)>;

/// Looks until the goal is reached; the last sight is the answer. A resource that is replaced under its name
/// counts as deleted. An API that does not answer is borne for 15 minutes, once the resource was seen.
/// Errors: kImpossible at once on a state from which the goal cannot come, with the API's reason, or when the
/// resource vanishes; kNotFound when it is not there at the first look (but for kDeleted); kTimeout;
/// kInterrupted; and the client's own.
Result<Sight> wait_for(Client& client, const QueuedResourceName& name, const WaitOptions& options,
                       const OnSight& on_sight, const RandomUnit& random = system_random_unit());

/// Polls until the operation is done. Its own error becomes ours: RESOURCE_EXHAUSTED kQuota, NOT_FOUND
/// kNotFound, and so on. An operation that the API no longer knows (404) counts as done: its target then has
/// to be looked at.
Result<Operation> wait_for_operation(Client& client, Operation operation,
                                     std::optional<std::chrono::milliseconds> timeout,
                                     const PollPolicy& poll = {},
                                     const RandomUnit& random = system_random_unit());

}  // namespace slipway::tpu
