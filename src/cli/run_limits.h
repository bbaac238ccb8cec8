#pragma once

#include <string>

#include "cli/flags.h"
#include "slipway/fleet/fan_out.h"

namespace slipway::cli {

/// How fast a fan-out starts, how long it waits, and what stops it: as typed.
struct RunLimits {
  std::string batch_size = "auto";
  std::string timeout;
  std::string connect_timeout = "10s";
  std::string keepalive = "15s";
  bool fail_fast = false;
};

void bind_run_limits(Flags& flags, RunLimits& limits);

/// Errors (kUsage): a word that is no number or no time.
Result<void> apply(const RunLimits& limits, fleet::FanOutOptions& options);

}  // namespace slipway::cli
