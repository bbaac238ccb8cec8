#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "slipway/core/clock.h"

namespace slipway::cli {

/// One --timeout over several waits: each gets what the ones before it have left.
class Countdown {
 public:
  Countdown(std::optional<std::chrono::milliseconds> limit, Clock& clock)
      : limit_(limit), clock_(clock), began_(clock.now()) {}

  /// Not less than 0; nothing without a limit.
  std::optional<std::chrono::milliseconds> left() const {
    if (!limit_) return std::nullopt;
    const auto gone = std::chrono::ceil<std::chrono::milliseconds>(clock_.now() - began_);
    return std::max(*limit_ - gone, std::chrono::milliseconds(0));
  }

 private:
  std::optional<std::chrono::milliseconds> limit_;
  Clock& clock_;
  Clock::time_point began_;
};

}  // namespace slipway::cli
