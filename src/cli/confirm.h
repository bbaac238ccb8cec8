#pragma once

#include <string>

#include "cli/services.h"
#include "cli/settings.h"
#include "slipway/core/result.h"

namespace slipway::cli {

/// Asks `question` on a terminal; "y" or "yes" goes on. With --yes it does not ask. Errors: kUsage without a
/// terminal and without
/// --yes (-q never means yes), kFailed for any other answer.
Result<void> confirm(const std::string& question, const GlobalOptions& options, Services& services);

}  // namespace slipway::cli
