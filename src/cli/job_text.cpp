#include "cli/job_text.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/report/table.h"

namespace slipway::cli {
namespace {

using launch::AttemptStatus;
using launch::JobStatus;
using launch::SlotStatus;
using launch::WorkerExit;

std::string step_text(long step) { return step < 0 ? "the beginning" : fmt::format("step {}", step); }

std::string ago(const std::string& time, std::chrono::system_clock::time_point now) {
  const auto then = parse_rfc3339(time);
  return then ? format_age(now - *then) : "";
}

std::string code_text(const WorkerExit& ended) {
  if (ended.code == "setup") return "set-up failed";
  if (ended.code == "none") return "did not start";
  return fmt::format("exit {}{}", ended.code,
                     ended.preempted ? ", preempted"
                     : ended.told    ? ", told to end"
                                     : "");
}

/// "7 of 8: exit 0: 4, exit 143, told to end: 3".
std::string exits_text(const AttemptStatus& attempt) {
  std::map<std::string, int> counts;
  for (const WorkerExit& ended : attempt.exits) ++counts[printable(code_text(ended))];
  std::vector<std::string> parts;
  for (const auto& [text, count] : counts) parts.push_back(fmt::format("{}x {}", count, text));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// Somebody ended it, or every worker has, and the verdict is not written yet.
bool is_ending(const AttemptStatus& attempt) {
  return !attempt.end_reason.empty() ||
         (!attempt.ready.empty() && attempt.exits.size() >= attempt.ready.size());
}

std::string attempt_text(const AttemptStatus& attempt) {
  if (attempt.verdict) return attempt.verdict->word;
  if (is_ending(attempt)) return "ending";
  if (!attempt.started.empty()) return "running";
  return attempt.late.empty() ? "meeting" : "waiting";
}

void add_attempts(std::string& text, const JobStatus& status, std::chrono::system_clock::time_point now) {
  report::Table table({"ATTEMPT", "STATE", "FROM", "STARTED", "READY", "COMMITTED", "ENDS"});
  for (const AttemptStatus& one : status.attempts) {
    const std::string committed = one.verdict && one.verdict->step >= 0 ? step_text(one.verdict->step) : "";
    table.add_row({std::to_string(one.number), attempt_text(one),
                   one.started.empty() ? "" : step_text(one.resume_step),
                   one.started.empty() ? "" : ago(one.started, now) + " ago",
                   std::to_string(one.ready.size()), committed, exits_text(one)});
  }
  if (!table.empty()) text += "\n" + table.text();
  for (const AttemptStatus& one : status.attempts) {
    if (const std::string end = end_text(one); !end.empty())
      text += fmt::format("attempt {}: {}\n", one.number, end);
    if (one.started.empty() && !one.late.empty() && !one.verdict)
      text += fmt::format("attempt {}: still waits for {} (slice-worker)\n", one.number,
                          printable(fmt::format("{}", fmt::join(one.late, " "))));
  }
}

void add_slots(std::string& text, const JobStatus& status, std::chrono::system_clock::time_point now) {
  report::Table table({"SLICE", "WORKER", "PHASE", "ATTEMPT", "SINCE", "ADDRESS", "START"});
  for (const SlotStatus& slot : status.slots) {
    table.add_row({std::to_string(slot.slice), std::to_string(slot.worker), slot.phase,
                   std::to_string(slot.attempt), ago(slot.time, now), slot.address, slot.phases});
  }
  if (!table.empty()) text += "\n" + table.text();
}

long newest_step(const JobStatus& status) {
  long step = -1;
  for (const AttemptStatus& one : status.attempts) {
    step = std::max(step, one.resume_step);
    if (one.verdict) step = std::max(step, one.verdict->step);
  }
  for (const SlotStatus& slot : status.slots) step = std::max(step, slot.step);
  return step;
}

/// "code=2.1s setup=0.0s" as pairs, in their order.
std::vector<std::pair<std::string, double>> phases_of(const SlotStatus& slot) {
  std::vector<std::pair<std::string, double>> phases;
  for (const std::string& word : split(slot.phases, ' ')) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || word.back() != 's') continue;
    double seconds = 0;
    const char* end = word.data() + word.size() - 1;
    if (std::from_chars(word.data() + equals + 1, end, seconds).ec == std::errc())
      phases.emplace_back(word.substr(0, equals), seconds);
  }
  return phases;
}

struct Longest {
  std::string phase;
  double seconds = -1;
  const SlotStatus* slot = nullptr;
};

Json attempt_json(const AttemptStatus& attempt) {
  Json exits = Json::array();
  for (const WorkerExit& one : attempt.exits)
    exits.push_back({{"slice", one.slice},
                     {"worker", one.worker},
                     {"code", one.code},
                     {"told", one.told},
                     {"preempted", one.preempted}});
  Json json{{"attempt", attempt.number}, {"state", attempt_text(attempt)}, {"ready", attempt.ready.size()}};
  if (!attempt.started.empty()) {
    json["startedAt"] = attempt.started;
    json["resumeStep"] = attempt.resume_step;
  }
  if (!attempt.end_reason.empty()) json["end"] = {{"reason", attempt.end_reason}, {"text", attempt.end_text}};
  if (!attempt.exits.empty()) json["exits"] = std::move(exits);
  if (!attempt.late.empty()) json["late"] = attempt.late;
  if (attempt.verdict) {
    json["verdict"] = attempt.verdict->word;
    json["committedStep"] = attempt.verdict->step;
    json["endedAt"] = attempt.verdict->time;
  }
  return json;
}

}  // namespace

std::string slot_text(int slice, int worker) { return fmt::format("slice {} worker {}", slice, worker); }

std::string end_text(const AttemptStatus& attempt) {
  const std::string why = printable(!attempt.end_text.empty() ? attempt.end_text
                                    : attempt.verdict         ? attempt.verdict->text
                                                              : "");
  if (why.empty()) return "";
  std::size_t followers = 0;
  for (const WorkerExit& one : attempt.exits) followers += one.code == "0" ? 0 : 1;
  const bool somebody = attempt.end_reason == "failed" || attempt.end_reason == "hang";
  if (!somebody || followers < 2) return why;
  return fmt::format("{} ({} followed)", why, counted(followers - 1, "worker"));
}

std::string job_state(const JobStatus& status) {
  if (status.finished) return status.finished->word;
  if (status.stop_asked) return "stopping";
  if (status.attempts.empty())
    return status.slots.empty() ? "launched; no worker has said anything yet" : "booting";
  const AttemptStatus& last = status.attempts.back();
  if (last.verdict)
    return fmt::format("attempt {} ended ({}); the next one follows", last.number, last.verdict->word);
  if (is_ending(last))
    return fmt::format("attempt {} is ending: {} of {} have ended", last.number, last.exits.size(),
                       counted(std::max(last.ready.size(), last.exits.size()), "worker"));
  if (last.started.empty())
    return fmt::format("attempt {} gathers its workers: {} ready", last.number, last.ready.size());
  return fmt::format("attempt {} runs, from {}", last.number, step_text(last.resume_step));
}

std::string job_text(const JobPlace& place, const std::string& name, const JobStatus& status,
                     std::chrono::system_clock::time_point now) {
  std::string text = fmt::format("job {} (launch {}): {}\n", printable(name), place.launch.number,
                                 printable(job_state(status)));
  if (status.finished && !status.finished->text.empty())
    text += fmt::format("  why: {}\n", printable(status.finished->text));
  text += fmt::format("resource: {}\n", place.resource    ? place.resource->state_text
                                        : status.released ? "released"
                                                          : "gone");
  if (!status.release_refused.empty())
    text += fmt::format("not released: {}\n", printable(status.release_refused));
  text += fmt::format("objects: {}\n", place.uri());
  if (newest_step(status) >= 0)
    text += fmt::format("newest committed checkpoint seen: step {}\n", newest_step(status));
  add_attempts(text, status, now);
  add_slots(text, status, now);
  return text;
}

std::string job_document(const JobPlace& place, const std::string& name, const JobStatus& status) {
  Json attempts = Json::array();
  for (const AttemptStatus& one : status.attempts) attempts.push_back(attempt_json(one));
  Json workers = Json::array();
  for (const SlotStatus& one : status.slots) {
    workers.push_back({{"slice", one.slice},
                       {"worker", one.worker},
                       {"phase", one.phase},
                       {"attempt", one.attempt},
                       {"address", one.address},
                       {"instance", one.instance},
                       {"since", one.time},
                       {"start", one.phases}});
  }
  Json json{{"job", name},
            {"launch", place.launch.number},
            {"state", job_state(status)},
            {"objects", place.uri()},
            {"queuedResource", place.resource ? place.resource->state_text : ""},
            {"stopAsked", status.stop_asked},
            {"released", status.released},
            {"releaseRefused", status.release_refused},
            {"committedStep", newest_step(status)}};
  if (status.finished)
    json["finished"] = {{"verdict", status.finished->word}, {"text", status.finished->text}};
  json["attempts"] = std::move(attempts);
  json["workers"] = std::move(workers);
  return dump_json(json, 2) + "\n";
}

std::string start_text(const JobStatus& status, int attempt) {
  std::vector<Longest> longest;
  for (const SlotStatus& slot : status.slots) {
    if (slot.attempt != attempt) return "";
    bool complete = false;
    for (const auto& [name, seconds] : phases_of(slot)) {
      const std::string& phase = name;  // clang 14 does not capture a binding
      complete = complete || phase == "first-output";
      auto found = std::find_if(longest.begin(), longest.end(),
                                [&](const Longest& one) { return one.phase == phase; });
      if (found == longest.end()) found = longest.insert(longest.end(), {phase, -1, nullptr});
      if (seconds > found->seconds) *found = {phase, seconds, &slot};
    }
    if (!complete) return "";
  }
  std::vector<std::string> parts;
  for (const Longest& one : longest) {
    const bool matters = one.phase != "barrier" && one.seconds >= 5;
    parts.push_back(
        fmt::format("{} {:.1f}s{}", one.phase, one.seconds,
                    matters ? fmt::format(" ({})", slot_text(one.slot->slice, one.slot->worker)) : ""));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace slipway::cli
