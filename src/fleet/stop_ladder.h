#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "slipway/core/clock.h"

namespace slipway::fleet {

/// How running commands are made to end: a signal, some time, the next signal, and in the end we leave.
class StopLadder {
 public:
  struct Rung {
    Clock::duration after;
    std::string_view signal;  ///< empty: leave
  };

  /// After an interrupt: INT, then TERM, then KILL, each after `grace` more.
  static StopLadder for_interrupt(Clock::time_point now, Clock::duration grace);
  /// After --timeout, or a failure that stops all: TERM, then KILL after `grace`.
  static StopLadder for_stop(Clock::time_point now, Clock::duration grace);

  /// TERM is due now, or whatever follows it if that was sent already.
  void hurry_to_term(Clock::time_point now) { hurry_to(count_ - 3, now); }
  /// KILL is due now; if that was sent already, we leave.
  void hurry_to_kill(Clock::time_point now) { hurry_to(count_ - 2, now); }

  /// When the next rung is due; nothing after the last.
  std::optional<Clock::time_point> next() const;
  /// The signal that is due now, and only once; "" means leave.
  std::optional<std::string_view> climb(Clock::time_point now);

 private:
  void hurry_to(std::size_t rung, Clock::time_point now);

  static constexpr std::size_t kMostRungs = 4;
  Clock::time_point began_;
  std::array<Rung, kMostRungs> rungs_{};
  std::size_t count_ = 0;
  std::size_t at_ = 0;
};

}  // namespace slipway::fleet
