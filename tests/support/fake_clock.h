#pragma once

#include "slipway/core/clock.h"

namespace slipway::test {

/// A clock that stands still until somebody sleeps: then it is at once as late as asked for.
class FakeClock final : public Clock {
 public:
  time_point now() const override { return now_; }
  std::chrono::system_clock::time_point wall_now() const override { return wall_; }
  bool sleep_until(time_point when) override {
    if (sleeps_left == 0) return false;
    if (sleeps_left > 0) --sleeps_left;
    if (when > now_) advance(when - now_);
    ++sleeps;
    return true;
  }

  void advance(duration by) {
    now_ += by;
    wall_ += std::chrono::duration_cast<std::chrono::system_clock::duration>(by);
  }
  void set_wall(std::chrono::system_clock::time_point wall) { wall_ = wall; }

  int sleeps = 0;
  int sleeps_left = -1;  ///< after so many sleeps an interrupt comes; negative: never

 private:
  time_point now_{std::chrono::hours(1)};
  std::chrono::system_clock::time_point wall_{std::chrono::seconds(1'795'161'600)};  // 2026-11-20T08:00:00Z
};

}  // namespace slipway::test
