#pragma once

#include "cli/services.h"
#include "cli/settings.h"
#include "slipway/tpu/call.h"

namespace slipway::cli {

/// Whether --dry-run was given. Errors (kUsage): neither "request" nor "curl".
Result<bool> is_dry_run(const GlobalOptions& options);

/// Shows `call` on stdout and sends nothing: the request as it would go out, or with --dry-run=curl a line
/// that works when it is pasted. The token is never in it: the line fetches one by command substitution.
void show_call(const tpu::Call& call, const Settings& settings, const GlobalOptions& options,
               Services& services);

}  // namespace slipway::cli
