#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "slipway/fleet/outcome.h"
#include "slipway/ssh/session.h"

namespace slipway::report {

/// How many workers are where, as one line for a person who waits.
class ProgressLine {
 public:
  explicit ProgressLine(std::size_t workers) : places_(workers, kWaiting) { counts_[kWaiting] = workers; }

  void on_phase(std::size_t worker, ssh::Phase phase);
  void on_outcome(std::size_t worker, const fleet::Outcome& outcome);

  bool all_ended() const { return counts_[kEnded] == places_.size(); }
  /// "3 waiting, 12 connecting, 1 ready, 240 running, 4 ended (1 not ok)", at most `columns` wide.
  std::string text(int columns) const;

 private:
  enum Place : unsigned char { kWaiting, kConnecting, kReady, kRunning, kEnded, kPlaces };
  void move(std::size_t worker, Place place);

  std::vector<Place> places_;
  std::array<std::size_t, kPlaces> counts_{};
  std::size_t not_ok_ = 0;
};

}  // namespace slipway::report
