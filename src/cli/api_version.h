#pragma once

#include <optional>

#include "cli/settings.h"
#include "slipway/tpu/call.h"

namespace slipway::cli {

/// What --api-version says; nothing when it was not given. Errors: kUsage.
Result<std::optional<tpu::ApiVersion>> api_version(const GlobalOptions& options);

}  // namespace slipway::cli
