#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "fleet/start_window.h"
#include "slipway/fleet/target.h"

namespace slipway::fleet {

/// The positions of `targets` in turn over the slices: no slice, and no switch above it, takes a whole burst.
std::vector<std::size_t> start_order(const std::vector<Target>& targets);

/// Who starts next. A permit is held from connect until the session is ready, or failed: it limits
/// handshakes, and never what runs.
class Admission {
 public:
  Admission(const std::vector<std::size_t>& order, StartWindow window)
      : waiting_(order.begin(), order.end()), window_(window) {}

  /// The next one, with a permit taken for it; nothing while all permits are out.
  std::optional<std::size_t> next();
  void give_back() { --out_; }
  /// Behind all that have not been tried yet.
  void queue_again(std::size_t which) { waiting_.push_back(which); }
  /// Nobody starts any more.
  void close() { waiting_.clear(); }

  StartWindow& window() { return window_; }
  std::size_t out() const { return out_; }

 private:
  std::deque<std::size_t> waiting_;
  StartWindow window_;
  std::size_t out_ = 0;
};

}  // namespace slipway::fleet
