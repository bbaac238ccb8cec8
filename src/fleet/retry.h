#pragma once

#include "slipway/core/clock.h"
#include "slipway/core/random.h"
#include "slipway/ssh/session.h"

namespace slipway::fleet {

/// Could another connection do better? Only before anything was started, and only for what passes: a VM that
/// boots refuses, resets, or hangs up before its banner. Never a refused key or a wrong host key.
/// `socket_error` is why connecting failed, or 0.
bool may_retry(const ssh::Failed& failed, int socket_error);

/// This machine, not the worker, could not open one more connection.
bool out_of_descriptors(int socket_error);

/// Full jitter over 0.25 s, doubled with each try up to 2 s. `attempt` is 1 after the first failure.
Clock::duration retry_delay(int attempt, const RandomUnit& random);

}  // namespace slipway::fleet
