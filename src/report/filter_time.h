#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace slipway::report {

/// A moment as a filter may name it: RFC 3339, a day (2026-11-20: its beginning, UTC), a day with a time and
/// without an offset (UTC), or an ISO 8601 duration from `now` on (P1D) or back (-PT12H).
std::optional<std::chrono::system_clock::time_point> parse_filter_time(
    std::string_view text, std::chrono::system_clock::time_point now);

}  // namespace slipway::report
