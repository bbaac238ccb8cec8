#pragma once

#include <cstddef>
#include <optional>

#include "slipway/core/clock.h"

namespace slipway::fleet {

/// How many starts may be in flight at once.
///
/// A start costs us under half a millisecond and the network some eight round trips, so what keeps one
/// processor busy is the time of a start times the starts that it can do in a second. It begins with kFirst,
/// which is enough for 60 ms a start, and grows to what the fastest start so far asks for. A worker that
/// turns us away (sshd's MaxStartups) halves it, once for all that were in flight together; from then on
/// every window's worth of good starts adds one.
class StartWindow {
 public:
  static constexpr std::size_t kFirst = 256;
  static constexpr std::size_t kMost = 4'096;

  /// `fixed`: never more than that, and no growth.
  explicit StartWindow(std::optional<std::size_t> fixed);

  std::size_t size() const { return size_; }

  /// A whole start takes about so long; the best guess at it counts.
  void learn(Clock::duration start);
  /// A start came through.
  void started();
  /// A start that began at `began` was turned away while `in_flight` were; true when that made it smaller.
  bool turned_away(Clock::time_point began, Clock::time_point now, std::size_t in_flight);
  /// This machine has no room for one more than `in_flight`.
  void out_of_room(std::size_t in_flight);

 private:
  std::size_t most_;
  std::size_t size_;
  std::optional<Clock::duration> fastest_;
  std::optional<Clock::time_point> halved_at_;
  std::size_t good_ = 0;  ///< starts since it last grew by one
};

}  // namespace slipway::fleet
