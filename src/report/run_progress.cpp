#include "slipway/report/run_progress.h"

#include <numeric>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

RunProgress::Place place_of(fleet::OutcomeKind kind) {
  using fleet::OutcomeKind;
  switch (kind) {
    case OutcomeKind::kOk:
      return RunProgress::kOk;
    case OutcomeKind::kExit:
    case OutcomeKind::kSignal:
    case OutcomeKind::kTimeout:
      return RunProgress::kFailed;
    case OutcomeKind::kLost:
    case OutcomeKind::kUnreachable:
    case OutcomeKind::kAuth:
    case OutcomeKind::kHostKey:
      return RunProgress::kCutOff;
    case OutcomeKind::kNotStarted:
      return RunProgress::kNotStarted;
  }
  return RunProgress::kNotStarted;
}

}  // namespace

RunProgress::RunProgress(std::size_t workers, Clock::time_point now)
    : places_(workers, kWaiting), since_(workers, now) {
  counts_[kWaiting] = workers;
}

void RunProgress::on_phase(std::size_t worker, ssh::Phase phase, Clock::time_point now) {
  // A session that is over leaves its worker either its end, which is told next, or another try.
  if (phase < ssh::Phase::kHeld || phase == ssh::Phase::kClosed) return move(worker, kConnecting, now);
  move(worker, phase == ssh::Phase::kHeld ? kReady : kRunning, now);
}

void RunProgress::on_outcome(std::size_t worker, const fleet::Outcome& outcome, Clock::time_point now) {
  move(worker, place_of(outcome.kind), now);
}

void RunProgress::move(std::size_t worker, Place place, Clock::time_point now) {
  if (places_[worker] == place) return;
  --counts_[places_[worker]];
  places_[worker] = place;
  ++counts_[place];
  since_[worker] = now;
}

std::size_t RunProgress::ended() const {
  return std::accumulate(counts_.begin() + kOk, counts_.end(), std::size_t{0});
}

std::vector<std::size_t> RunProgress::all_in(Place place) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i] == place) found.push_back(i);
  }
  return found;
}

std::string RunProgress::text() const {
  std::vector<std::string> parts;
  for (const Place place : {kWaiting, kConnecting, kReady, kRunning}) {
    if (counts_[place] > 0) parts.push_back(fmt::format("{} {}", counts_[place], to_string(place)));
  }
  if (ended() > 0) parts.push_back(fmt::format("{} ended", ended()));
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  const std::size_t not_ok = ended() - counts_[kOk];
  if (not_ok > 0) text += fmt::format(" ({} not ok)", not_ok);
  return text;
}

std::string say_seconds(Clock::duration duration) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
  return seconds < std::chrono::minutes(1) ? fmt::format("{}s", seconds.count()) : format_duration(seconds);
}

std::string_view to_string(RunProgress::Place place) {
  constexpr std::string_view kWords[] = {"waiting", "connecting",          "ready",      "running", "ok",
                                         "failed",  "unreachable or lost", "not started"};
  return place < RunProgress::kPlaces ? kWords[place] : "";
}

}  // namespace slipway::report
