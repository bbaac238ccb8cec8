#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "slipway/core/clock.h"
#include "slipway/core/json.h"

namespace slipway::emulator {

/// When a request may get its machines, and how long it keeps them, on the clock that only runs forward.
struct TimeLimits {
  std::optional<Clock::time_point> valid_from;
  std::optional<Clock::time_point> valid_until;  ///< waiting any longer, it fails
  std::optional<Clock::duration> longest_run;    ///< from ACTIVE on; then it is suspended
  std::optional<Clock::time_point> run_until;
};

/// Of a QueuedResource that is created now: queueingPolicy and runDuration.
TimeLimits read_time_limits(const Json& body, const Clock& clock);

/// google.protobuf.Duration in JSON: "5400s", "1.5s".
std::optional<std::chrono::milliseconds> seconds_of(const std::string& text);

}  // namespace slipway::emulator
