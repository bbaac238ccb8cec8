#include "fleet/engine.h"
#include "fleet/outcome_of.h"
#include "fleet/retry.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::fleet {

void Engine::fail(Index i, const ssh::Failed& failed) {
  if (try_again(i, failed)) return;
  Outcome outcome = outcome_of(failed);
  if (members_[i].tries > 1 && outcome.kind == OutcomeKind::kUnreachable) {
    outcome.error += fmt::format(" (tried for {})", format_duration(options_.limits.connect));
  }
  end(i, std::move(outcome));
}

/// Another connection, as long as nothing was sent and the time for connecting has not passed.
bool Engine::try_again(Index i, const ssh::Failed& failed) {
  Member& member = members_[i];
  const int socket_error = member.connection->socket_error;
  if (interrupts_heard_ > 0 || timed_out_) return false;
  if (failed.kind == ssh::Failed::Kind::kAuth) return ask_again(i);
  if (!may_retry(failed, socket_error)) return false;
  const Clock::time_point when = now_ + retry_delay(member.tries, options_.random);
  if (when >= member.give_up) return false;
  if (out_of_descriptors(socket_error)) admission_.window().out_of_room(admission_.out());
  if (failed.kind == ssh::Failed::Kind::kTurnedAway) start_fewer(i, failed);
  wait_for_another_try(i, when);
  return true;
}

void Engine::start_fewer(Index i, const ssh::Failed& failed) {
  const bool fewer = admission_.window().turned_away(members_[i].began, now_, admission_.out());
  if (!fewer || told_of_fewer_) return;
  told_of_fewer_ = true;
  reporter_.on_notice(fmt::format("{}: {}; starting fewer at once", targets_[i].label(), failed.reason));
}

/// A refused key is final, but for a worker that was told of it a moment ago.
bool Engine::ask_again(Index i) {
  Member& member = members_[i];
  if (!member.refused_at) member.refused_at = now_;
  const Clock::time_point when = now_ + retry_delay(member.tries, options_.random);
  if (when >= *member.refused_at + options_.auth_patience) return false;
  wait_for_another_try(i, when);
  return true;
}

void Engine::wait_for_another_try(Index i, Clock::time_point when) {
  reactor_.forget(i);
  leave_stage(i);
  members_[i].stage = Stage::kWaiting;
  ++undecided_;
  members_[i].connection.reset();
  deadlines_.set(i, when);
}

void Engine::end(Index i, Outcome outcome) {
  reactor_.forget(i);
  deadlines_.set(i, std::nullopt);
  leave_stage(i);
  members_[i].stage = Stage::kEnded;
  members_[i].connection.reset();
  ++ended_;
  outcome.started_at = outcomes_[i].started_at;
  if (outcome.started_at) outcome.ended_at = clock_.wall_now();
  outcomes_[i] = outcome.started_at ? as_stopped(std::move(outcome)) : std::move(outcome);
  if (outcomes_[i].kind != OutcomeKind::kOk) ++failed_, last_failed_ = i;
  reporter_.on_outcome(i, outcomes_[i]);
  expect_stragglers();
}

/// However a command ends that was told to stop by --timeout: it is the limit that ended it. One that
/// --fail-fast stopped keeps its own end, and says why it came.
Outcome Engine::as_stopped(Outcome outcome) const {
  if (!stopped_because_.empty() && outcome.kind != OutcomeKind::kOk && outcome.error.empty())
    outcome.error = stopped_because_;
  if (!timed_out_) return outcome;
  outcome.kind = OutcomeKind::kTimeout;
  outcome.exit_code = 0;
  outcome.signal.clear();
  outcome.phase = ssh::Phase::kRun;
  if (outcome.error.empty())
    outcome.error = fmt::format("told to stop after {}", format_duration(*options_.timeout));
  return outcome;
}

void Engine::leave_stage(Index i) {
  switch (members_[i].stage) {
    case Stage::kStarting:
      admission_.give_back();
      [[fallthrough]];
    case Stage::kWaiting:
      --undecided_;
      break;
    case Stage::kHeld:
      --held_;
      break;
    case Stage::kReleased:
    case Stage::kEnded:
      break;
  }
}

}  // namespace slipway::fleet
