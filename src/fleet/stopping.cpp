#include <algorithm>
#include <utility>

#include "fleet/engine.h"
#include "fleet/names.h"
#include "fleet/outcome_of.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::fleet {

void Engine::hear_interrupt() {
  const int count = interrupt_.count();
  if (count == interrupts_heard_) return;
  const int before = std::exchange(interrupts_heard_, count);
  reactor_.forget(interrupt_token());
  if (before == 0) begin_to_stop();
  if (before < 2 && count == 2) stop_harder();
  if (before < 3 && count > 2) stop_at_last();  // a fourth would cut short the wait for news of the KILL
}

void Engine::begin_to_stop() {
  const std::size_t begun = count_begun();
  if (begun == 0) {
    reporter_.on_notice("interrupted: nothing had been started, and nothing will be");
  } else {
    reporter_.on_notice(fmt::format(
        "interrupted: INT goes to the command on {}, then TERM after {} and KILL after {}; interrupt again "
        "for "
        "TERM now, and a third time for KILL{}",
        counted(begun, "worker"), format_duration(options_.grace), format_duration(2 * options_.grace),
        commands_die_with_us_ ? "" : " (--no-kill: if this client is killed, they run on)"));
  }
  end_all_that_has_not_begun("interrupted before the command was sent");
  if (!ladder_) ladder_ = StopLadder::for_interrupt(now_, options_.grace);
}

void Engine::stop_harder() {
  if (!ladder_) return;
  ladder_->hurry_to_term(now_);
  reporter_.on_notice(fmt::format("interrupted again: TERM goes to the command on {}; a third time for KILL",
                                  running_text()));
}

void Engine::stop_at_last() {
  if (!ladder_) return;
  ladder_->hurry_to_kill(now_);
  reporter_.on_notice(
      fmt::format("interrupted a third time: KILL goes to the command on {}", running_text()));
}

/// As soon as so many have failed that --require cannot be met any more.
void Engine::stop_for_failure() {
  const std::size_t may_fail =
      targets_.size() - std::min(targets_.size(), options_.require.of(targets_.size()));
  if (!options_.fail_fast || ladder_ || failed_ <= may_fail || interrupts_heard_ > 0) return;
  const std::size_t begun = count_begun();
  stopped_because_ = fmt::format("stopped, because {} failed ({})", targets_[last_failed_].label(),
                                 end_of(outcomes_[last_failed_]));
  end_all_that_has_not_begun(stopped_because_);
  ladder_ = StopLadder::for_stop(now_, options_.grace);
  if (begun == 0) return;
  reporter_.on_notice(fmt::format("{} failed ({}): TERM goes to the command on {}",
                                  targets_[last_failed_].label(), end_of(outcomes_[last_failed_]),
                                  running_text()));
}

void Engine::climb() {
  if (timeout_at_ && now_ >= *timeout_at_) {
    timeout_at_.reset();
    if (!ladder_) {
      timed_out_ = true;
      ladder_ = StopLadder::for_stop(now_, options_.grace);
    }
  }
  stop_for_failure();
  while (ladder_) {
    const std::optional<std::string_view> signal = ladder_->climb(now_);
    if (!signal) return;
    if (!signal->empty()) {
      send_signal(*signal);
    } else {
      leave();
    }
  }
}

/// We were not told of the ends, so what runs on a worker now is said as what we know of it.
void Engine::leave() {
  end_all_that_has_not_begun("the time was over before the command was sent");
  give_up_on_running(commands_die_with_us_
                         ? "told to stop, and its end was not seen; the worker kills it now that we are gone"
                         : "told to stop, and its end was not seen: it may still run");
}

void Engine::send_signal(std::string_view signal) {
  const std::string line = ssh::signal_line(signal);
  for (Index i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    if (member.stage != Stage::kReleased) continue;
    member.connection->session->send_input(line);
    member.has_signal = true;
    queue(i);
  }
  ready_.insert(ready_.end(), parked_.begin(), parked_.end());
  parked_.clear();
}

void Engine::give_up_on_running(const std::string& why) {
  for (Index i = 0; i < members_.size(); ++i) {
    if (members_[i].stage != Stage::kReleased) continue;
    Outcome outcome;
    outcome.kind = OutcomeKind::kLost;
    outcome.phase = ssh::Phase::kRun;
    outcome.error = why;
    end(i, std::move(outcome));
  }
}

void Engine::end_all_that_has_not_begun(const std::string& why) {
  admission_.close();
  for (Index i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    const bool sent = member.connection && member.connection->session->started();
    if (member.stage == Stage::kEnded || sent) continue;
    end(i, not_started(member.connection ? member.connection->session->phase() : ssh::Phase::kConnect, why));
  }
}

std::string Engine::running_text() const {
  std::vector<std::string> names;
  for (Index i = 0; i < members_.size(); ++i) {
    if (members_[i].stage == Stage::kReleased) names.push_back(targets_[i].label());
  }
  return some_of(names);
}

std::size_t Engine::count_begun() const {
  std::size_t count = 0;
  for (const Member& member : members_)
    count += member.connection && member.connection->session->started() ? 1 : 0;
  return count;
}

}  // namespace slipway::fleet
