#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "slipway/core/result.h"

namespace slipway::cli {

/// The span that a flag such as --valid-after-duration says, in gcloud's forms: 90s, 1h30m, 2d, PT1H30M, P1D.
/// Nothing when it was not given. Errors (kUsage): anything else, and nothing at all (0).
Result<std::optional<std::chrono::milliseconds>> parse_span(const std::string& flag, const std::string& text);

/// The time that a flag such as --valid-until-time says, as the API takes it: RFC 3339 with milliseconds, its
/// offset kept. Without an offset it is local time; without a time of day, midnight. Empty when it was not
/// given. Errors: kUsage.
Result<std::string> parse_time(const std::string& flag, const std::string& text);

}  // namespace slipway::cli
