#include "slipway/report/event_log.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

/// Of the format, for its readers; a field that is added does not change it.
constexpr int kVersion = 1;
constexpr std::size_t kMostBacklog = std::size_t{1} << 20;

}  // namespace

Result<std::unique_ptr<EventLog>> EventLog::open(const std::string& path,
                                                 const std::vector<fleet::Target>& targets,
                                                 const Clock& clock, OnError on_error) {
  Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0644));
  if (!file) return system_error(ErrorCode::kUsage, fmt::format("--events: cannot write '{}'", path), errno);
  return std::unique_ptr<EventLog>(new EventLog(std::move(file), targets, clock, std::move(on_error)));
}

EventLog::EventLog(Fd file, const std::vector<fleet::Target>& targets, const Clock& clock, OnError on_error)
    : targets_(targets),
      clock_(clock),
      on_error_(std::move(on_error)),
      file_(std::move(file)),
      stream_(make_fd_output(file_.get())),
      attempts_(targets.size()) {}

void EventLog::run_started(const RunRecord& run) {
  Json event = begin("run-started");
  event["version"] = kVersion;
  event["runId"] = run.run_id;
  event["queuedResource"] = run.queued_resource;
  event["workers"] = targets_.size();
  write(event);
}

void EventLog::run_ended(const RunRecord& run, const std::vector<fleet::Outcome>& outcomes) {
  Json event = begin("run-ended");
  event["runId"] = run.run_id;
  event["exitCode"] = run.exit_code;
  event["summary"] = summary_json(outcomes);
  write(event);
  stream_->flush();
  drain();
}

void EventLog::drain() {
  stream_->drain();
  if (stream_->error() == nullptr || !on_error_) return;
  std::exchange(on_error_, nullptr)(*stream_->error());
}

void EventLog::on_phase(std::size_t target, ssh::Phase phase) {
  if (phase == ssh::Phase::kConnect) {
    Json event = begin("connecting", target);
    event["address"] = targets_[target].address;
    event["attempt"] = ++attempts_[target];
    write(event);
  } else if (phase == ssh::Phase::kHeld) {
    write(begin("ready", target));
  } else if (phase == ssh::Phase::kRun) {
    write(begin("started", target));
  }
}

void EventLog::on_outcome(std::size_t target, const fleet::Outcome& outcome) {
  Json event = begin("ended", target);
  event.update(outcome_json(outcome));
  write(event);
}

void EventLog::on_notice(std::string_view text) {
  Json event = begin("notice");
  event["text"] = text;
  write(event);
}

bool EventLog::congested() const { return stream_->backlog() > kMostBacklog; }

Json EventLog::begin(std::string_view event) {
  return {{"seq", ++sequence_}, {"time", format_rfc3339(clock_.wall_now())}, {"event", event}};
}

Json EventLog::begin(std::string_view event, std::size_t target) {
  Json begun = begin(event);
  begun["slice"] = targets_[target].slice;
  begun["sliceIndex"] = targets_[target].slice_index;
  begun["worker"] = targets_[target].worker;
  return begun;
}

void EventLog::write(const Json& event) { stream_->queue(dump_json(event) + "\n"); }

}  // namespace slipway::report
