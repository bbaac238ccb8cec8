#include "slipway/report/progress_line.h"

#include <algorithm>
#include <string_view>

#include "slipway/core/format.h"

namespace slipway::report {

void ProgressLine::on_phase(std::size_t worker, ssh::Phase phase) {
  if (phase < ssh::Phase::kHeld) return move(worker, kConnecting);
  move(worker, phase == ssh::Phase::kHeld ? kReady : kRunning);
}

void ProgressLine::on_outcome(std::size_t worker, const fleet::Outcome& outcome) {
  move(worker, kEnded);
  if (outcome.kind != fleet::OutcomeKind::kOk) ++not_ok_;
}

void ProgressLine::move(std::size_t worker, Place place) {
  --counts_[places_[worker]];
  places_[worker] = place;
  ++counts_[place];
}

std::string ProgressLine::text(int columns) const {
  constexpr std::array<std::string_view, kPlaces> kWords = {"waiting", "connecting", "ready", "running",
                                                            "ended"};
  std::vector<std::string> parts;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    if (counts_[place] > 0) parts.push_back(fmt::format("{} {}", counts_[place], kWords[place]));
  }
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (not_ok_ > 0) text += fmt::format(" ({} not ok)", not_ok_);
  return text.substr(0, static_cast<std::size_t>(std::max(columns, 1)));
}

}  // namespace slipway::report
