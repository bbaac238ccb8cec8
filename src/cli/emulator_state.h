#pragma once

#include <string>

#include "slipway/core/result.h"

namespace slipway::cli {

/// The folder of the emulator that a command is about: as said, else the user's own. Errors: kUsage without
/// a home.
Result<std::string> emulator_state_dir(const std::string& said);

}  // namespace slipway::cli
