#include "fleet/stop_ladder.h"

#include <algorithm>

namespace slipway::fleet {
namespace {

/// KILL cannot be refused; what we still wait for is its news.
constexpr Clock::duration kNewsOfKill = std::chrono::seconds(2);

}  // namespace

StopLadder StopLadder::for_interrupt(Clock::time_point now, Clock::duration grace) {
  StopLadder ladder;
  ladder.began_ = now;
  ladder.rungs_ = {Rung{{}, "INT"}, {grace, "TERM"}, {2 * grace, "KILL"}, {2 * grace + kNewsOfKill, ""}};
  ladder.count_ = 4;
  return ladder;
}

StopLadder StopLadder::for_stop(Clock::time_point now, Clock::duration grace) {
  StopLadder ladder;
  ladder.began_ = now;
  ladder.rungs_ = {Rung{{}, "TERM"}, {grace, "KILL"}, {grace + kNewsOfKill, ""}};
  ladder.count_ = 3;
  return ladder;
}

void StopLadder::hurry_to(std::size_t rung, Clock::time_point now) {
  at_ = std::max(at_, rung);
  if (at_ < count_) began_ = now - rungs_[at_].after;
}

std::optional<Clock::time_point> StopLadder::next() const {
  if (at_ == count_) return std::nullopt;
  return began_ + rungs_[at_].after;
}

std::optional<std::string_view> StopLadder::climb(Clock::time_point now) {
  if (at_ == count_ || now < *next()) return std::nullopt;
  return rungs_[at_++].signal;
}

}  // namespace slipway::fleet
