#include "fleet/engine.h"
#include "fleet/outcome_of.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::fleet {

void Engine::hear_interrupt() {
  const int count = interrupt_.count();
  if (count == interrupts_heard_) return;
  const bool first = interrupts_heard_ == 0;
  interrupts_heard_ = count;
  reactor_.forget(interrupt_token());
  if (first) begin_to_stop();
  if (count > 1) leave_at_once();
}

void Engine::begin_to_stop() {
  const std::size_t begun = count_begun();
  if (begun == 0) {
    reporter_.on_notice("interrupted: nothing had been started, and nothing will be");
  } else {
    reporter_.on_notice(fmt::format(
        "interrupted: INT goes to the command on {} worker{}, and up to {} to its end; interrupt again to "
        "leave at once{}",
        begun, begun == 1 ? "" : "s", format_duration(options_.grace),
        commands_die_with_us_ ? ", which ends the commands" : ", which leaves the commands running"));
  }
  end_all_that_has_not_begun("interrupted before the command was sent");
  if (!ladder_) ladder_ = StopLadder::for_interrupt(now_, options_.grace);
}

void Engine::leave_at_once() {
  end_all_that_has_not_begun("interrupted before the command was sent");
  give_up_on_running(
      commands_die_with_us_
          ? "we left before its end; the worker ends it when it sees that the connection is gone"
          : "we left before its end; it runs on");
}

void Engine::climb() {
  if (timeout_at_ && now_ >= *timeout_at_) {
    timeout_at_.reset();
    if (!ladder_) {
      timed_out_ = true;
      ladder_ = StopLadder::for_timeout(now_, options_.grace);
    }
  }
  while (ladder_) {
    const std::optional<std::string_view> signal = ladder_->climb(now_);
    if (!signal) return;
    if (!signal->empty()) {
      send_signal(*signal);
    } else {
      end_all_that_has_not_begun("the time was over before the command was sent");
      give_up_on_running("told to stop, and its end was not seen");
    }
  }
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

std::size_t Engine::count_begun() const {
  std::size_t count = 0;
  for (const Member& member : members_)
    count += member.connection && member.connection->session->started() ? 1 : 0;
  return count;
}

}  // namespace slipway::fleet
