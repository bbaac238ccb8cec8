#include "slipway/fleet/outcome.h"

#include "fleet/outcome_of.h"
#include "slipway/core/format.h"

namespace slipway::fleet {
namespace {

OutcomeKind kind_of(const ssh::Failed& failed) {
  if (failed.started) return OutcomeKind::kLost;
  if (failed.kind == ssh::Failed::Kind::kHostKey) return OutcomeKind::kHostKey;
  if (failed.kind == ssh::Failed::Kind::kAuth) return OutcomeKind::kAuth;
  return OutcomeKind::kUnreachable;
}

}  // namespace

std::string_view to_string(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::kOk:
      return "ok";
    case OutcomeKind::kExit:
      return "exit";
    case OutcomeKind::kSignal:
      return "signal";
    case OutcomeKind::kTimeout:
      return "timeout";
    case OutcomeKind::kLost:
      return "lost";
    case OutcomeKind::kUnreachable:
      return "unreachable";
    case OutcomeKind::kAuth:
      return "auth";
    case OutcomeKind::kHostKey:
      return "host-key";
    case OutcomeKind::kNotStarted:
      return "not-started";
  }
  return "";
}

Outcome outcome_of(const ssh::Done& done) {
  Outcome outcome;
  outcome.phase = ssh::Phase::kRun;
  if (done.exit.kind == ssh::RemoteExit::Kind::kSignal) {
    outcome.kind = OutcomeKind::kSignal;
    outcome.signal = done.exit.signal;
  } else {
    outcome.kind = done.exit.code == 0 ? OutcomeKind::kOk : OutcomeKind::kExit;
    outcome.exit_code = done.exit.code;
  }
  return outcome;
}

Outcome outcome_of(const ssh::Failed& failed) {
  Outcome outcome;
  outcome.kind = kind_of(failed);
  outcome.phase = failed.phase;
  outcome.error = failed.reason;
  return outcome;
}

std::string end_of(const Outcome& outcome) {
  if (outcome.kind == OutcomeKind::kExit) return fmt::format("exit {}", outcome.exit_code);
  if (outcome.kind == OutcomeKind::kSignal) return "signal " + outcome.signal;
  return outcome.error.empty() ? std::string(to_string(outcome.kind)) : outcome.error;
}

Outcome not_started(ssh::Phase phase, std::string why) {
  Outcome outcome;
  outcome.kind = OutcomeKind::kNotStarted;
  outcome.phase = phase;
  outcome.error = std::move(why);
  return outcome;
}

}  // namespace slipway::fleet
