#include "slipway/report/commentary.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/report/fold.h"
#include "slipway/report/run_summary.h"

namespace slipway::report {
namespace {

constexpr std::size_t kMostEndsTold = 10;
/// Nothing has gone on for this long, and few are missing: they are named. Doubles each time.
constexpr Clock::duration kFirstPatience = std::chrono::seconds(10);
/// CI systems end a job that says nothing.
constexpr Clock::duration kBetweenSigns = std::chrono::minutes(1);

bool ended_badly_after_its_start(const fleet::Outcome& outcome) {
  using fleet::OutcomeKind;
  return outcome.kind == OutcomeKind::kExit || outcome.kind == OutcomeKind::kSignal ||
         outcome.kind == OutcomeKind::kLost;
}

}  // namespace

Commentary::Commentary(const std::vector<fleet::Target>& targets, Console& console, const Clock& clock,
                       Options options)
    : targets_(targets),
      console_(console),
      clock_(clock),
      options_(options),
      progress_(targets.size(), clock.now()),
      said_at_(clock.now()),
      went_on_at_(clock.now()),
      patience_(kFirstPatience) {}

void Commentary::on_phase(std::size_t target, ssh::Phase phase) {
  const Clock::time_point now = clock_.now();
  progress_.on_phase(target, phase, now);
  if (phase == ssh::Phase::kHeld) went_on_at_ = now;
}

void Commentary::on_outcome(std::size_t target, const fleet::Outcome& outcome) {
  went_on_at_ = clock_.now();
  progress_.on_outcome(target, outcome, went_on_at_);
  if (targets_.size() == 1 || !ended_badly_after_its_start(outcome) || ends_told_ > kMostEndsTold) return;
  if (ends_told_++ == kMostEndsTold) {
    say("more workers fail; the sum will name them");
  } else {
    say(fmt::format("{}: {}", targets_[target].label(), describe(outcome)));
  }
}

void Commentary::on_notice(std::string_view text) {
  say(text);
  console_.drain();
}

void Commentary::say(std::string_view sentence) {
  console_.say(sentence);
  said_at_ = clock_.now();
}

std::optional<Clock::time_point> Commentary::next_drain() const {
  if (progress_.all_ended()) return std::nullopt;
  std::optional<Clock::time_point> when;
  if (options_.signs_of_life) when = said_at_ + kBetweenSigns;
  if (options_.late_workers && few_are_late()) {
    const Clock::time_point due = went_on_at_ + patience_;
    when = when ? std::min(*when, due) : due;
  }
  return when;
}

void Commentary::drain() {
  const Clock::time_point now = clock_.now();
  if (options_.late_workers && few_are_late() && now >= went_on_at_ + patience_) {
    say(sentence_about_late_workers());
    patience_ *= 2;
  }
  if (options_.signs_of_life && !progress_.all_ended() && now >= said_at_ + kBetweenSigns)
    say(progress_.text());
  console_.drain();
}

/// While the gang gathers, those that are not ready; while it runs, those that still run.
std::vector<std::size_t> Commentary::late() const {
  if (progress_.count(RunProgress::kReady) == 0) return progress_.all_in(RunProgress::kRunning);
  std::vector<std::size_t> late = progress_.all_in(RunProgress::kConnecting);
  const std::vector<std::size_t> waiting = progress_.all_in(RunProgress::kWaiting);
  late.insert(late.end(), waiting.begin(), waiting.end());
  return late;
}

bool Commentary::few_are_late() const {
  const std::size_t ready = progress_.count(RunProgress::kReady);
  const std::size_t late =
      ready > 0 ? progress_.count(RunProgress::kConnecting) + progress_.count(RunProgress::kWaiting)
                : progress_.count(RunProgress::kRunning);
  const std::size_t on_time = ready > 0 ? ready : progress_.ended();
  return late > 0 && on_time > 0 && late <= std::max<std::size_t>(1, targets_.size() / 10);
}

std::string Commentary::sentence_about_late_workers() const {
  const std::vector<std::size_t> who = late();
  const std::size_t ready = progress_.count(RunProgress::kReady);
  const std::string names = fold_labels(targets_, who);
  const Clock::duration longest =
      clock_.now() - progress_.since(*std::min_element(who.begin(), who.end(), [&](auto a, auto b) {
        return progress_.since(a) < progress_.since(b);
      }));
  const std::string time = say_seconds(longest);
  if (ready > 0) {
    return fmt::format("{} of {} are ready and wait for {} ({} for {})", ready, targets_.size(), names,
                       to_string(progress_.place(who.front())), time);
  }
  return fmt::format("{} of {} have ended; {} still run{} ({})", progress_.ended(), targets_.size(), names,
                     who.size() == 1 ? "s" : "", time);
}

}  // namespace slipway::report
