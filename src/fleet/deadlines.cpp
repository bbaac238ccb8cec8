#include "fleet/deadlines.h"

namespace slipway::fleet {

void Deadlines::set(std::size_t which, std::optional<Clock::time_point> when) {
  wanted_[which] = when.value_or(kNever);
  if (wanted_[which] < entered_[which]) enter(which);
}

std::optional<Clock::time_point> Deadlines::next() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.top().when;
}

void Deadlines::take_due(Clock::time_point now, std::vector<std::size_t>& due) {
  while (!heap_.empty() && heap_.top().when <= now) {
    const Entry entry = heap_.top();
    heap_.pop();
    if (entry.when != entered_[entry.which]) continue;
    entered_[entry.which] = kNever;
    if (wanted_[entry.which] <= now) {
      wanted_[entry.which] = kNever;
      due.push_back(entry.which);
    } else if (wanted_[entry.which] != kNever) {
      enter(entry.which);
    }
  }
}

void Deadlines::enter(std::size_t which) {
  entered_[which] = wanted_[which];
  heap_.push({wanted_[which], which});
}

}  // namespace slipway::fleet
