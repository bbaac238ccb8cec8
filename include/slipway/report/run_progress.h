#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/fleet/outcome.h"
#include "slipway/ssh/session.h"

namespace slipway::report {

/// Where each worker of a run is, and since when.
class RunProgress {
 public:
  enum Place : unsigned char {
    kWaiting,     ///< for its turn to be connected to
    kConnecting,  ///< up to an open channel, with all its tries
    kReady,       ///< holds until all can start
    kRunning,
    kOk,
    kFailed,      ///< the command did: exit, signal, --timeout
    kCutOff,      ///< not reached, refused, or lost
    kNotStarted,  ///< left out because others were missing
    kPlaces
  };

  RunProgress(std::size_t workers, Clock::time_point now);

  void on_phase(std::size_t worker, ssh::Phase phase, Clock::time_point now);
  void on_outcome(std::size_t worker, const fleet::Outcome& outcome, Clock::time_point now);

  std::size_t workers() const { return places_.size(); }
  Place place(std::size_t worker) const { return places_[worker]; }
  Clock::time_point since(std::size_t worker) const { return since_[worker]; }
  std::size_t count(Place place) const { return counts_[place]; }
  std::size_t ended() const;
  bool all_ended() const { return ended() == places_.size(); }
  std::vector<std::size_t> all_in(Place place) const;
  /// "3 waiting, 12 connecting, 1 ready, 240 running, 4 ended (1 not ok)".
  std::string text() const;

 private:
  void move(std::size_t worker, Place place, Clock::time_point now);

  std::vector<Place> places_;
  std::vector<Clock::time_point> since_;
  std::array<std::size_t, kPlaces> counts_{};
};

/// "42s", "4m07s": as exact as a person wants it who looks on.
std::string say_seconds(Clock::duration duration);

/// "waiting", "ok", "unreachable or lost".
std::string_view to_string(RunProgress::Place place);

}  // namespace slipway::report
