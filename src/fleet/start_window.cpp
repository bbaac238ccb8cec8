#include "fleet/start_window.h"

#include <algorithm>
#include <chrono>

namespace slipway::fleet {
namespace {

/// More than one processor has been seen to do (2,900): too many in flight cost nothing but memory.
constexpr double kStartsPerSecond = 4'000;

std::size_t at_least_one(std::size_t number) { return std::max<std::size_t>(number, 1); }

}  // namespace

StartWindow::StartWindow(std::optional<std::size_t> fixed)
    : most_(at_least_one(fixed.value_or(kMost))), size_(at_least_one(fixed.value_or(kFirst))) {}

void StartWindow::learn(Clock::duration start) {
  if (fastest_ && start >= *fastest_) return;
  fastest_ = start;
  if (halved_at_) return;  // we know what the workers bear
  const double busy = std::chrono::duration<double>(start).count() * kStartsPerSecond;
  size_ = std::clamp(static_cast<std::size_t>(std::max(busy, 0.0)), std::min(kFirst, most_), most_);
}

void StartWindow::started() {
  if (!halved_at_ || size_ >= most_ || ++good_ < size_) return;
  ++size_;
  good_ = 0;
}

bool StartWindow::turned_away(Clock::time_point began, Clock::time_point now, std::size_t in_flight) {
  if (halved_at_ && began <= *halved_at_) return false;
  halved_at_ = now;
  good_ = 0;
  const std::size_t before = size_;
  size_ = at_least_one(std::min(size_, in_flight) / 2);
  return size_ < before;
}

void StartWindow::out_of_room(std::size_t in_flight) { size_ = most_ = in_flight > 2 ? in_flight - 1 : 1; }

}  // namespace slipway::fleet
