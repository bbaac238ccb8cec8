#include "cli/job_watch.h"

#include "cli/job_text.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

using launch::AttemptStatus;
using launch::JobStatus;
using State = QueuedResourceState;

constexpr std::chrono::seconds kPause{1};
constexpr std::chrono::seconds kResourcePause{10};  // once it is ACTIVE, only the unusual happens to it
// The leader waits five minutes for the others' logs before it releases.
constexpr std::chrono::minutes kReleaseLimit{6};

int code_of(const launch::Verdict& verdict) {
  if (verdict.word == "done") return 0;
  return verdict.word == "stopped" ? 1 : 3;
}

std::string seconds_text(Clock::duration length) {
  return fmt::format("{:.1f}s", std::max(0.0, std::chrono::duration<double>(length).count()));
}

}  // namespace

JobWatch::JobWatch(Api& api, const QueuedResourceName& name, JobPlace place, const JobWatchOptions& options,
                   Services& services)
    : api_(api),
      name_(name),
      place_(std::move(place)),
      options_(options),
      services_(services),
      line_(services),
      bucket_(api.bucket(place_.bucket)),
      reader_(bucket_, place_.launch.prefix),
      log_(bucket_, place_.launch.prefix, 0, 0, std::nullopt, services),
      began_(services.clock.now()) {}

Result<int> JobWatch::run() {
  const Countdown countdown(options_.timeout, services_.clock);
  while (true) {
    TRY(const bool over, look());
    if (over) break;
    const auto left = countdown.left();
    if (left && left->count() == 0) {
      return Error(ErrorCode::kTimeout,
                   fmt::format("the job '{}' is not over yet: {}", name_.id, job_state(status_)))
          .next(fmt::format("slipway status {}", shell_quote(name_.id)));
    }
    const Clock::duration pause = left ? std::min<Clock::duration>(kPause, *left) : kPause;
    if (!services_.clock.sleep_until(services_.clock.now() + pause)) {
      return Error::interrupted(services_.interrupt.signal_number(),
                                fmt::format("left the job '{}', which goes on", name_.id))
          .next(fmt::format("slipway logs {0} -f   (or: slipway stop {0})", shell_quote(name_.id)));
    }
  }
  log_.finish();
  TRY(await_release(status_));
  return code_of(*status_.finished);
}

/// True when the job is over.
Result<bool> JobWatch::look() {
  TRY(status_, reader_.look());
  if (!booted_at_ && !status_.slots.empty()) booted_at_ = services_.clock.now();
  tell(status_);
  if (options_.follow) TRY(log_.show_more());
  if (status_.finished) return true;
  TRY(look_at_resource());
  line_.draw(fmt::format("{}: {}, {}, {}", name_.id, state_, job_state(status_),
                         format_duration(services_.clock.now() - began_)));
  return false;
}

Result<void> JobWatch::look_at_resource() {
  const Clock::time_point now = services_.clock.now();
  if (state_ == "ACTIVE" && now < looked_at_resource_ + kResourcePause) return {};
  looked_at_resource_ = now;
  const Result<QueuedResource> there = api_.client().get(name_);
  if (!there.ok()) {
    if (there.error().code() != ErrorCode::kNotFound) return there.error();
    return cannot_come("is gone", "somebody deleted it");
  }
  if (there->state_text != state_) line_.say(fmt::format("{}: {}", name_.id, there->state_text));
  state_ = there->state_text;
  const bool waits = there->state == State::kCreating || there->state == State::kAccepted ||
                     there->state == State::kWaitingForResources;
  if (!waits && !provisioning_at_) provisioning_at_ = now;
  if (there->state == State::kActive && !active_at_) active_at_ = now;
  if (there->state == State::kFailed || there->state == State::kSuspended || there->state == State::kDeleting)
    return cannot_come("is " + there->state_text, there->failure ? there->failure->message : "");
  return {};
}

Error JobWatch::cannot_come(const std::string& what, const std::string& why) const {
  Error error = Error(ErrorCode::kImpossible,
                      fmt::format("the queued resource '{}' {}, and the job is not over", name_.id, what))
                    .why(printable(why));
  if (status_.stop_asked)
    return std::move(error).next(fmt::format("slipway stop {} --bucket {} --yes", shell_quote(name_.id),
                                             shell_quote(place_.home_uri(name_.id))));
  return std::move(error).next(fmt::format(
      "slipway launch {} --recreate ...   (it resumes from its newest checkpoint)", shell_quote(name_.id)));
}

void JobWatch::tell(const JobStatus& status) {
  for (const AttemptStatus& attempt : status.attempts) tell_attempt(attempt);
  tell_start(status);
  if (!status.finished) return;
  line_.say(fmt::format("the job '{}' is over after {}: {}{}", name_.id,
                        counted(status.attempts.size(), "attempt"), printable(status.finished->word),
                        status.finished->text.empty() ? "" : ": " + printable(status.finished->text)));
}

void JobWatch::tell_attempt(const AttemptStatus& attempt) {
  Told& told = told_[attempt.number];
  const auto say = [&](bool& once, const std::string& sentence) {
    if (!once) line_.say(fmt::format("attempt {}: {}", attempt.number, sentence));
    once = true;
  };
  if (!attempt.late.empty() && attempt.started.empty() && !attempt.verdict)
    say(told.late, fmt::format("still waits for {} (slice-worker)",
                               printable(fmt::format("{}", fmt::join(attempt.late, " ")))));
  if (!attempt.started.empty()) {
    say(told.begun,
        fmt::format("{} start from {}", counted(attempt.ready.size(), "worker"),
                    attempt.resume_step < 0 ? "the beginning" : fmt::format("step {}", attempt.resume_step)));
  }
  if (!attempt.end_reason.empty() && !attempt.verdict)
    say(told.ended, "ends: " + printable(attempt.end_text));
  if (attempt.verdict) {
    say(told.verdict,
        fmt::format(
            "{}: {}{}", printable(attempt.verdict->word), end_text(attempt),
            attempt.verdict->step < 0 ? "" : fmt::format("; step {} is committed", attempt.verdict->step)));
  }
}

/// What the start of an attempt was spent on; of the first one also what came before its workers.
void JobWatch::tell_start(const JobStatus& status) {
  if (status.attempts.empty()) return;
  const AttemptStatus& attempt = status.attempts.back();
  Told& told = told_[attempt.number];
  if (told.start) return;
  const std::string phases = start_text(status, attempt.number);
  if (phases.empty()) return;
  told.start = true;
  std::string before;
  if (attempt.number == 1 && provisioning_at_ && active_at_ && booted_at_) {
    before =
        fmt::format("queued {}, provisioned {}, booted {}, ", seconds_text(*provisioning_at_ - began_),
                    seconds_text(*active_at_ - *provisioning_at_), seconds_text(*booted_at_ - *active_at_));
  }
  line_.say(fmt::format("attempt {}: time of the start: {}{}", attempt.number, before, phases));
}

Result<void> JobWatch::await_release(const JobStatus& status) {
  const Result<QueuedResource> there = api_.client().get(name_);
  if (!there.ok()) return {};
  TRY(const storage::Object spec, bucket_.get(place_.launch.prefix + "/spec.json"));
  const Result<Json> document = parse_json(spec.bytes);
  const std::string policy = document.ok() ? string_member(*document, "release") : "";
  if (policy != "always" && !(policy == "on-success" && status.finished->word == "done")) {
    services_.say(fmt::format("the queued resource stays: slipway delete {} --force", shell_quote(name_.id)));
    return {};
  }
  const Clock::time_point limit = services_.clock.now() + kReleaseLimit;
  while (services_.clock.now() < limit) {
    const Result<QueuedResource> now = api_.client().get(name_);
    if (!now.ok() && now.error().code() == ErrorCode::kNotFound) {
      services_.say(fmt::format("the queued resource '{}' is released", name_.id));
      return {};
    }
    TRY(const JobStatus seen, reader_.look());
    if (!seen.release_refused.empty()) {
      services_.say(fmt::format("not released: {}", printable(seen.release_refused)));
      break;
    }
    if (!services_.clock.sleep_until(services_.clock.now() + kPause)) break;
  }
  services_.say(fmt::format("the queued resource '{0}' is not released yet: slipway describe {0}", name_.id));
  return {};
}

}  // namespace slipway::cli
