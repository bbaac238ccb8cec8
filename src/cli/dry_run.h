#pragma once

#include "cli/services.h"
#include "cli/settings.h"
#include "slipway/tpu/call.h"

namespace slipway::cli {

/// Whether --dry-run was given. Errors (kUsage): neither "request" nor "curl".
Result<bool> is_dry_run(const GlobalOptions& options);

/// For what asks nobody and so has no request to show. Errors (kUsage): --dry-run was given.
Result<void> refuse_dry_run(const GlobalOptions& options, const std::string& command);

/// Shows `call` on stdout and sends nothing: the request as it would go out, or with --dry-run=curl a line
/// that works when it is pasted. The token is never in it: the line fetches one by command substitution.
void show_call(const tpu::Call& call, const Settings& settings, const GlobalOptions& options,
               Services& services);
/// The same for an object that would be written to a bucket, if it is not there yet.
void show_new_object(const std::string& bucket, const std::string& name, const std::string& content,
                     const Settings& settings, const GlobalOptions& options, Services& services);

}  // namespace slipway::cli
