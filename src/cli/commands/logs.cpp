#include <algorithm>
#include <limits>
#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/job_log.h"
#include "cli/job_place.h"
#include "cli/job_text.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr std::chrono::seconds kPause{1};

constexpr const char* kDetails =
    R"(From the bucket: output arrives there within --log-period of the job, that of slice 0 worker 0 within 5 seconds, and stays.

Examples:
  slipway logs train-1                                    # slice 0 worker 0, all attempts
  slipway logs train-1 -f
  slipway logs train-1 --attempt 2 --node 3 --worker 1)";

struct LogsOptions {
  std::string job;
  std::string bucket;
  bool follow = false;
  int attempt = 0;
  int node = 0;
  int worker = 0;
};

/// Until the job is over, and what was said by then is here.
Result<void> follow(JobLog& log, launch::JobReader& reader, const std::string& id, Services& services) {
  while (true) {
    TRY(const launch::JobStatus status, reader.look());
    TRY(log.show_more());
    if (status.finished) return {};
    if (!services.clock.sleep_until(services.clock.now() + kPause)) {
      return Error::interrupted(services.interrupt.signal_number(), fmt::format("left the log of '{}'", id))
          .next(fmt::format("slipway logs {} -f", shell_quote(id)));
    }
  }
}

std::string slots_text(const launch::JobStatus& status) {
  std::vector<std::string> slots;
  for (const launch::SlotStatus& slot : status.slots) slots.push_back(slot_text(slot.slice, slot.worker));
  if (slots.size() > 4) slots = {slots.front(), "..", slots.back()};
  return fmt::format("it has {}", fmt::join(slots, ", "));
}

/// All workers have spoken once an attempt has begun or the job is over; before that some may be on their
/// way.
bool knows_all_workers(const launch::JobStatus& status) {
  return status.finished || std::any_of(status.attempts.begin(), status.attempts.end(),
                                        [](const auto& one) { return !one.started.empty() || one.verdict; });
}

/// Errors (kNotFound): an attempt, a slice or a worker that the job does not have. An attempt may be one to
/// come while the job goes on and is followed.
Result<void> check_place(const LogsOptions& options, const launch::JobStatus& status, int slices) {
  const std::string job = printable(options.job);
  const bool has_attempt = std::any_of(status.attempts.begin(), status.attempts.end(),
                                       [&](const auto& one) { return one.number == options.attempt; });
  const bool may_come = options.follow && !status.finished;
  if (options.attempt > 0 && !has_attempt && !may_come) {
    return Error(ErrorCode::kNotFound, fmt::format("the job '{}' has no attempt {}", job, options.attempt))
        .why(status.attempts.empty()
                 ? "none has begun"
                 : fmt::format("its attempts are 1 to {}", status.attempts.back().number));
  }
  const bool has_slot = std::any_of(status.slots.begin(), status.slots.end(), [&](const auto& slot) {
    return slot.slice == options.node && slot.worker == options.worker;
  });
  if (has_slot || (options.node < slices && !knows_all_workers(status))) return {};
  return Error(ErrorCode::kNotFound,
               fmt::format("the job '{}' has no {}", job, slot_text(options.node, options.worker)))
      .why(status.slots.empty() ? fmt::format("it has {}", counted(static_cast<std::size_t>(slices), "slice"))
                                : slots_text(status));
}

/// As its spec says; a spec that cannot be read forbids no slice.
Result<int> slices_of(storage::Bucket& bucket, const JobPlace& place) {
  TRY(const std::optional<storage::Object> spec, bucket.find(place.launch.prefix + "/spec.json"));
  const Result<Json> document = parse_json(spec ? spec->bytes : "");
  const auto slices = document.ok() ? int_member(*document, "slices") : std::nullopt;
  return static_cast<int>(slices.value_or(std::numeric_limits<int>::max()));
}

Result<int> run_logs(const LogsOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.job));
  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  TRY(const JobPlace place, find_job(*api, resource.name, options.bucket));
  storage::Bucket bucket = api->bucket(place.bucket);
  const auto only = options.attempt > 0 ? std::optional(options.attempt) : std::nullopt;
  JobLog log(bucket, place.launch.prefix, options.node, options.worker, only, services);
  launch::JobReader reader(bucket, place.launch.prefix);
  TRY(const launch::JobStatus status, reader.look());
  TRY(const int slices, slices_of(bucket, place));
  TRY(check_place(options, status, slices));
  if (options.follow) {
    TRY(follow(log, reader, resource.name.id, services));
  } else {
    TRY(log.show_more());
  }
  log.finish();
  if (!log.said_something())
    services.say(fmt::format("{} of the job '{}' has said nothing yet",
                             slot_text(options.node, options.worker), resource.name.id));
  return 0;
}

}  // namespace

void add_logs(CommandLine& line) {
  auto options = std::make_shared<LogsOptions>();  // filled by the parser, read by the action after it
  line.add("logs", "show what a job's command said", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_logs(*options, services, global);
           })
      .word("JOB", options->job, "the job")
      .on("f,follow", options->follow, "go on until the job is over")
      .number("attempt", options->attempt, "N", "of this attempt alone (0: of all)", 0, 999999)
      .number("node", options->node, "SLICE", "of this slice", 0, 100000)
      .number("worker", options->worker, "WORKER", "of this worker of it", 0, 100000)
      .text("bucket", options->bucket, "gs://B/PREFIX",
            "where it was launched (else its queued resource says)");
}

}  // namespace slipway::cli
