#pragma once

#include <cstddef>
#include <optional>
#include <queue>
#include <vector>

#include "slipway/core/clock.h"

namespace slipway::fleet {

/// One point in time for each of many. Moving one later, which every word from a worker does, costs nothing:
/// its old entry stays in the heap and is looked at again when it comes up.
class Deadlines {
 public:
  explicit Deadlines(std::size_t count) : wanted_(count, kNever), entered_(count, kNever) {}

  void set(std::size_t which, std::optional<Clock::time_point> when);
  /// Not later than the first deadline; it may be earlier.
  std::optional<Clock::time_point> next() const;
  /// Appends those that have passed, and forgets their deadlines.
  void take_due(Clock::time_point now, std::vector<std::size_t>& due);

 private:
  static constexpr Clock::time_point kNever = Clock::time_point::max();
  struct Entry {
    Clock::time_point when;
    std::size_t which;
    bool operator>(const Entry& other) const { return when > other.when; }
  };
  void enter(std::size_t which);

  std::vector<Clock::time_point> wanted_;
  std::vector<Clock::time_point> entered_;  ///< the entry in the heap that counts
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

}  // namespace slipway::fleet
