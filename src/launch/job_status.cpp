#include "slipway/launch/job_status.h"

#include <algorithm>
#include <charconv>

#include "slipway/core/text.h"

namespace slipway::launch {
namespace {

using Fields = std::map<std::string, std::string>;

/// "key=value" lines; the first of a key counts.
Fields fields_of(const std::string& content) {
  Fields fields;
  for (const std::string& line : split(content, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) fields.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return fields;
}

std::string text_at(const Fields& fields, const std::string& key) {
  const auto found = fields.find(key);
  return found == fields.end() ? "" : found->second;
}

std::optional<long> to_number(std::string_view text) {
  long number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

long number_at(const Fields& fields, const std::string& key, long otherwise) {
  return to_number(text_at(fields, key)).value_or(otherwise);
}

struct Slot {
  int slice;
  int worker;
};
std::optional<Slot> parse_slot(const std::string& text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string::npos) return std::nullopt;
  const auto slice = to_number(std::string_view(text).substr(0, dash));
  const auto worker = to_number(std::string_view(text).substr(dash + 1));
  if (!slice || !worker) return std::nullopt;
  return Slot{static_cast<int>(*slice), static_cast<int>(*worker)};
}

Verdict parse_verdict(const std::string& content) {
  const Fields fields = fields_of(content);
  Verdict verdict;
  verdict.word = text_at(fields, "verdict");
  verdict.text = text_at(fields, "text");
  verdict.time = text_at(fields, "time");
  verdict.step = number_at(fields, "step", -1);
  verdict.failures = static_cast<int>(number_at(fields, "failures", 0));
  verdict.preemptions = static_cast<int>(number_at(fields, "preemptions", 0));
  return verdict;
}

/// "S-W" and "BOOT~CODE~FLAGS".
std::optional<WorkerExit> parse_exit(const std::string& slot_text, const std::string& name) {
  const auto slot = parse_slot(slot_text);
  const std::vector<std::string> parts = split(name, '~');
  if (!slot || parts.size() != 3) return std::nullopt;
  WorkerExit ended;
  ended.slice = slot->slice;
  ended.worker = slot->worker;
  ended.code = parts[1];
  ended.told = parts[2].find('t') != std::string::npos;
  ended.preempted = parts[2].find('p') != std::string::npos;
  return ended;
}

/// One object of an attempt; `parts` is its name below "attempt/N/".
void add_to_attempt(AttemptStatus& attempt, const std::vector<std::string>& parts,
                    const std::string& content) {
  const std::string& kind = parts.front();
  const Fields fields = fields_of(content);
  if (kind == "go") {
    attempt.started = text_at(fields, "time");
    attempt.resume_step = number_at(fields, "step", -1);
  } else if (kind == "end") {
    attempt.end_reason = text_at(fields, "reason");
    attempt.end_text = text_at(fields, "text");
  } else if (kind == "late") {
    for (std::string& slot : split(text_at(fields, "missing"), ' ')) {
      if (!slot.empty()) attempt.late.push_back(std::move(slot));
    }
  } else if (kind == "verdict") {
    attempt.verdict = parse_verdict(content);
  } else if (kind == "ready" && parts.size() == 3) {
    attempt.ready.push_back(parts[1]);
  } else if (kind == "exit" && parts.size() == 3) {
    if (auto ended = parse_exit(parts[1], parts[2])) attempt.exits.push_back(std::move(*ended));
  }
}

void add_slot(JobStatus& status, const std::string& name, const std::string& content) {
  const auto slot = parse_slot(name);
  if (!slot) return;
  const Fields fields = fields_of(content);
  SlotStatus state;
  state.slice = slot->slice;
  state.worker = slot->worker;
  state.phase = text_at(fields, "phase");
  state.attempt = static_cast<int>(number_at(fields, "attempt", 0));
  state.address = text_at(fields, "address");
  state.instance = text_at(fields, "instance");
  state.time = text_at(fields, "time");
  state.step = number_at(fields, "step", -1);
  state.phases = std::string(trim(text_at(fields, "phases")));
  status.slots.push_back(std::move(state));
}

template <typename Place>
bool by_place(const Place& a, const Place& b) {
  return a.slice != b.slice ? a.slice < b.slice : a.worker < b.worker;
}

}  // namespace

std::vector<std::string> objects_to_read(const std::vector<std::string>& names) {
  std::vector<std::string> wanted;
  for (const std::string& name : names) {
    const std::vector<std::string> parts = split(name, '/');
    const bool of_attempt = parts.size() == 3 && parts[0] == "attempt";
    if (of_attempt || parts[0] == "slot" || name == "finished" || name == "release") wanted.push_back(name);
  }
  return wanted;
}

JobStatus job_status(const std::map<std::string, std::string>& objects) {
  JobStatus status;
  std::map<long, AttemptStatus> attempts;
  for (const auto& [name, content] : objects) {
    const std::vector<std::string> parts = split(name, '/');
    if (parts[0] == "attempt" && parts.size() >= 3) {
      const auto number = to_number(parts[1]);
      if (!number) continue;
      AttemptStatus& attempt = attempts[*number];
      attempt.number = static_cast<int>(*number);
      add_to_attempt(attempt, {parts.begin() + 2, parts.end()}, content);
    } else if (parts[0] == "slot" && parts.size() == 2) {
      add_slot(status, parts[1], content);
    } else if (name == "finished") {
      status.finished = parse_verdict(content);
    }
  }
  status.stop_asked = objects.count("stop") > 0;
  if (const auto release = objects.find("release"); release != objects.end()) {
    status.release_refused = text_at(fields_of(release->second), "refused");
    status.released = status.release_refused.empty();
  }
  for (auto& [number, attempt] : attempts) {
    std::sort(attempt.exits.begin(), attempt.exits.end(), by_place<WorkerExit>);
    status.attempts.push_back(std::move(attempt));
  }
  std::sort(status.slots.begin(), status.slots.end(), by_place<SlotStatus>);
  return status;
}

}  // namespace slipway::launch
