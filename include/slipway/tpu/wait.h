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
  /// For kReady after a reset that may not have begun: READY counts once a node was seen in another state, or
  /// after this long.
  std::optional<std::chrono::milliseconds> leave_ready_within;
  PollPolicy poll;
};

/// One of the resources that a wait is about.
struct Awaited {
  QueuedResourceName name;
  /// The createTime of the one that is meant; empty: of whichever is there at the first look.
  std::string create_time;
};

/// What a wait saw at one look; nothing in `resource` once it is gone.
struct Sight {
  std::optional<QueuedResource> resource;
  std::size_t nodes_ready = 0;  ///< counted for kReady only
  std::size_t nodes_total = 0;
  bool recreated = false;  ///< another resource than the awaited one stands under the name (by createTime)
  Clock::duration elapsed{};
};
using OnSight = std::function<void(const Sight&)>;
/// The same for several: the number is the position among them.
using OnSightOf = std::function<void(std::size_t, const Sight&)>;

/// Looks at all of them, in one batch, until each has reached the goal; the last sights are the answer. A
/// resource that is replaced under its name counts as deleted. An API that does not answer is borne for 15
/// minutes, once the resource was seen. Errors, of the first of them that has one: kImpossible at once on a
/// state from which the goal cannot come, with the API's reason, or when the resource vanishes or is
/// replaced; kNotFound when it is not there at the first look (but for kDeleted); kTimeout; kInterrupted; and
/// the client's own.
Result<std::vector<Sight>> wait_for_all(Client& client, const std::vector<Awaited>& awaited,
                                        const WaitOptions& options, const OnSightOf& on_sight,
                                        const RandomUnit& random = system_random_unit());
/// The same for one.
Result<Sight> wait_for(Client& client, const Awaited& awaited, const WaitOptions& options,
                       const OnSight& on_sight, const RandomUnit& random = system_random_unit());
inline Result<Sight> wait_for(Client& client, const QueuedResourceName& name, const WaitOptions& options,
                              const OnSight& on_sight, const RandomUnit& random = system_random_unit()) {
  return wait_for(client, Awaited{name, ""}, options, on_sight, random);
}

/// Polls until the operation is done. Its own error becomes ours: RESOURCE_EXHAUSTED kQuota, NOT_FOUND
/// kNotFound, and so on. An operation that the API no longer knows (404) counts as done: its target then has
/// to be looked at.
Result<Operation> wait_for_operation(Client& client, Operation operation,
                                     std::optional<std::chrono::milliseconds> timeout,
                                     const PollPolicy& poll = {},
                                     const RandomUnit& random = system_random_unit());

}  // namespace slipway::tpu
