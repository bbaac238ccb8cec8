#include "slipway/report/run_summary.h"

#include <array>
#include <map>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/report/fold.h"

namespace slipway::report {
namespace {

using fleet::Outcome;
using fleet::OutcomeKind;
using fleet::Target;
using Positions = std::vector<std::size_t>;

/// Wrong host keys are each their own cause: a screen must not be full of them.
constexpr std::size_t kMostCauses = 12;

constexpr std::array kAllKinds = {OutcomeKind::kOk,      OutcomeKind::kExit,    OutcomeKind::kSignal,
                                  OutcomeKind::kTimeout, OutcomeKind::kLost,    OutcomeKind::kUnreachable,
                                  OutcomeKind::kAuth,    OutcomeKind::kHostKey, OutcomeKind::kNotStarted};

/// The words of the sum. Exit codes and signals are one class there, told apart inside the parentheses.
std::string_view sum_word(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::kOk:
      return "ok";
    case OutcomeKind::kExit:
    case OutcomeKind::kSignal:
      return "failed";
    case OutcomeKind::kTimeout:
      return "timed out";
    case OutcomeKind::kLost:
      return "lost";
    case OutcomeKind::kUnreachable:
      return "unreachable";
    case OutcomeKind::kAuth:
      return "refused our key";
    case OutcomeKind::kHostKey:
      return "without the right host key";
    case OutcomeKind::kNotStarted:
      return "not started";
  }
  return "";
}

bool is_failure_of_the_command(OutcomeKind kind) {
  return kind == OutcomeKind::kExit || kind == OutcomeKind::kSignal;
}

/// "exit 3: qr-1/0; signal KILL: qr-1/1", the smallest code first.
std::string say_failures(const std::vector<Target>& targets, const std::vector<Outcome>& outcomes,
                         const Positions& failed) {
  std::map<std::tuple<OutcomeKind, int, std::string>, Positions> by_end;
  for (const std::size_t i : failed)
    by_end[{outcomes[i].kind, outcomes[i].exit_code, outcomes[i].signal}].push_back(i);
  std::vector<std::string> parts;
  for (const auto& [end, positions] : by_end) {
    parts.push_back(
        fmt::format("{}: {}", describe(outcomes[positions.front()]), fold_labels(targets, positions)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string sum_line(const std::vector<Target>& targets, const std::vector<Outcome>& outcomes) {
  std::vector<std::string> parts;
  for (const OutcomeKind kind : kAllKinds) {
    if (kind == OutcomeKind::kSignal) continue;  // counted with kExit
    Positions positions;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (sum_word(outcomes[i].kind) == sum_word(kind)) positions.push_back(i);
    }
    if (positions.empty() && kind != OutcomeKind::kOk) continue;
    std::string part = fmt::format("{} {}", positions.size(), sum_word(kind));
    if (is_failure_of_the_command(kind)) {
      part += fmt::format(" ({})", say_failures(targets, outcomes, positions));
    } else if (kind != OutcomeKind::kOk) {
      part += fmt::format(" ({})", fold_labels(targets, positions));
    }
    parts.push_back(std::move(part));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Equal ends together, in the order in which they first appear among the targets.
std::vector<Positions> causes_of(const std::vector<Outcome>& outcomes, bool (*counts)(const Outcome&)) {
  std::vector<Positions> causes;
  std::map<std::tuple<OutcomeKind, ssh::Phase, std::string, int, std::string>, std::size_t> place;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& one = outcomes[i];
    if (!counts(one)) continue;
    const auto [at, is_new] =
        place.try_emplace({one.kind, one.phase, one.error, one.exit_code, one.signal}, causes.size());
    if (is_new) causes.emplace_back();
    causes[at->second].push_back(i);
  }
  return causes;
}

/// "qr-2/[0-1] (2 workers): unreachable: Connection refused".
std::vector<std::string> say_causes(const std::vector<Target>& targets, const std::vector<Outcome>& outcomes,
                                    const std::vector<Positions>& causes) {
  std::vector<std::string> lines;
  for (const Positions& positions : causes) {
    if (lines.size() == kMostCauses) {
      lines.push_back(
          fmt::format("and {} other causes, each named in the JSON output", causes.size() - kMostCauses));
      break;
    }
    const std::string count =
        positions.size() == 1 ? "" : fmt::format(" ({})", counted(positions.size(), "worker"));
    lines.push_back(fmt::format("{}{}: {}", fold_labels(targets, positions), count,
                                describe(outcomes[positions.front()])));
  }
  return lines;
}

bool ended_by_itself(OutcomeKind kind) { return kind == OutcomeKind::kOk || is_failure_of_the_command(kind); }

Json worker_json(const Target& target, const Outcome& outcome) {
  Json worker = {{"slice", target.slice},
                 {"sliceIndex", target.slice_index},
                 {"worker", target.worker},
                 {"address", target.address}};
  worker.update(outcome_json(outcome));
  return worker;
}

}  // namespace

Json outcome_json(const Outcome& outcome) {
  Json worker = {{"outcome", std::string(to_string(outcome.kind))}};
  if (outcome.kind == OutcomeKind::kOk || outcome.kind == OutcomeKind::kExit)
    worker["exitCode"] = outcome.exit_code;
  if (outcome.kind == OutcomeKind::kSignal) worker["signal"] = outcome.signal;
  if (!ended_by_itself(outcome.kind)) worker["phase"] = std::string(to_string(outcome.phase));
  if (!outcome.error.empty()) worker["error"] = outcome.error;
  if (outcome.started_at) worker["startedAt"] = format_rfc3339(*outcome.started_at);
  if (outcome.ended_at) worker["endedAt"] = format_rfc3339(*outcome.ended_at);
  return worker;
}

Json summary_json(const std::vector<Outcome>& outcomes) {
  Json counts = Json::object();
  for (const OutcomeKind kind : kAllKinds) counts[std::string(to_string(kind))] = 0;
  for (const Outcome& outcome : outcomes) {
    Json& count = counts[std::string(to_string(outcome.kind))];
    count = count.get<int>() + 1;
  }
  return counts;
}

std::string describe(const Outcome& outcome) {
  switch (outcome.kind) {
    case OutcomeKind::kOk:
      return "ok";
    case OutcomeKind::kExit:
      return fmt::format("exit {}", outcome.exit_code);
    case OutcomeKind::kSignal:
      return fmt::format("signal {}", printable(outcome.signal));
    default:
      break;
  }
  if (outcome.error.empty()) return std::string(sum_word(outcome.kind));
  return fmt::format("{}: {}", sum_word(outcome.kind), printable(outcome.error));
}

std::vector<std::string> summary_lines(const std::vector<Target>& targets,
                                       const std::vector<Outcome>& outcomes) {
  // A failed command has its place in the sum; a line of its own would say no more.
  const auto has_words = [](const Outcome& outcome) { return !outcome.error.empty(); };
  std::vector<std::string> lines = say_causes(targets, outcomes, causes_of(outcomes, has_words));
  lines.push_back(sum_line(targets, outcomes));
  return lines;
}

std::vector<std::string> failure_lines(const std::vector<Target>& targets,
                                       const std::vector<Outcome>& outcomes) {
  const auto failed = [](const Outcome& outcome) { return outcome.kind != OutcomeKind::kOk; };
  return say_causes(targets, outcomes, causes_of(outcomes, failed));
}

Json run_json(const RunRecord& run, const std::vector<Target>& targets,
              const std::vector<Outcome>& outcomes) {
  Json workers = Json::array();
  for (std::size_t i = 0; i < outcomes.size(); ++i) workers.push_back(worker_json(targets[i], outcomes[i]));
  return {{"runId", run.run_id},
          {"queuedResource", run.queued_resource},
          {"startedAt", format_rfc3339(run.started_at)},
          {"endedAt", format_rfc3339(run.ended_at)},
          {"exitCode", run.exit_code},
          {"summary", summary_json(outcomes)},
          {"workers", std::move(workers)}};
}

}  // namespace slipway::report
