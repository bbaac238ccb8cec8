#pragma once

#include "slipway/fleet/outcome.h"

namespace slipway::fleet {

/// What a session's end means for its worker. `started` is what decides between "unreachable" and "lost".
Outcome outcome_of(const ssh::Done& done);
Outcome outcome_of(const ssh::Failed& failed);
Outcome not_started(ssh::Phase phase, std::string why);
/// "exit 3", "signal KILL", else its error.
std::string end_of(const Outcome& outcome);

}  // namespace slipway::fleet
