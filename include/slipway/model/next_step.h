#pragma once

#include <string>

#include "slipway/model/queued_resource.h"

namespace slipway {

/// What a person types next about a request that is not ACTIVE: the one answer of all commands. Never a wait
/// for what cannot come. Empty for ACTIVE, and for a state that this build does not know.
std::string next_step(const QueuedResource& resource);

}  // namespace slipway
