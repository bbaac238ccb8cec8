#pragma once

#include <string>

#include "slipway/core/json.h"
#include "slipway/core/result.h"

namespace slipway::emulator {

/// Asks the emulator that runs in `state_dir` what Admin answers. `path` begins behind "/emulator/". Errors:
/// kNotFound when none runs or it does not know the thing, kUsage for what it refuses, kConflict for what
/// cannot be now.
Result<Json> ask_admin(const std::string& state_dir, const std::string& method, const std::string& path,
                       const Json& body = {});

}  // namespace slipway::emulator
