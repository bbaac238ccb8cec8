#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/confirm.h"
#include "cli/dry_run.h"
#include "cli/flag_values.h"
#include "cli/job_place.h"
#include "cli/job_watch.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(Its workers see the wish in the bucket: the command gets TERM, the job's --grace passes, then KILL; the logs are
uploaded, and no attempt follows, not even after a repair. The queued resource stays, unless the job's --release says always.
A job whose machines are gone for good ends at once.

Examples:
  slipway stop train-1 --yes
  slipway stop train-1 --yes --wait --timeout 5m
  slipway stop train-1 --bucket gs://my-bucket/runs --yes   # when its queued resource is gone)";

struct StopOptions {
  std::string job;
  std::string bucket;
  bool wait = false;
  std::string timeout;
};

/// Made once: whoever was first with the same has done it.
Result<void> make_object(storage::Bucket& bucket, const std::string& name, const std::string& content) {
  const auto written = bucket.put(name, content, storage::Condition::absent(), "text/plain");
  if (written.ok() || written.error().code() == ErrorCode::kConflict) return {};
  return written.error();
}

Result<int> run_stop(const StopOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const bool dry_run, is_dry_run(global));
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.job));
  const QueuedResourceName& name = resource.name;
  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  TRY(const JobPlace place, find_job(*api, name, options.bucket));
  storage::Bucket bucket = api->bucket(place.bucket);
  TRY(const launch::JobStatus status, launch::JobReader(bucket, place.launch.prefix).look());
  if (status.finished) {
    services.say(fmt::format("the job '{}' is over already: {}", name.id, printable(status.finished->word)));
    return 0;
  }
  const auto now = services.clock.wall_now();
  const std::string stop = place.launch.prefix + "/ctl/stop";
  const std::string stop_text = format_rfc3339(now) + "\n";
  if (dry_run) {
    show_new_object(place.bucket, stop, stop_text, resource.settings, global, services);
    return 0;
  }
  TRY(confirm(fmt::format("Stop the job {}? It ends on all workers, and can only be launched anew.", name.id),
              global, services));
  TRY(make_object(bucket, stop, stop_text));
  TRY(const bool deserted, is_deserted(*api, place));
  if (deserted) {
    const std::string why = "stopped by a user after its machines were gone";
    TRY(make_object(bucket, place.launch.prefix + "/ctl/finished", launch::stopped_object(status, why, now)));
    services.say(fmt::format("{} is stopped: its machines are gone, so nobody else can end it", name.id));
    return 0;
  }
  services.say(fmt::format("stopping {}: its workers see it when they look next", name.id));
  if (!options.wait) return 0;
  TRY(JobWatch(*api, name, place, {false, timeout}, services).run());
  return 0;
}

}  // namespace

void add_stop(CommandLine& line) {
  auto options = std::make_shared<StopOptions>();  // filled by the parser, read by the action after it
  line.add("stop", "end a job for good", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_stop(*options, services, global);
           })
      .word("JOB", options->job, "the job")
      .on("wait", options->wait, "wait until it has ended on all workers")
      .text("timeout", options->timeout, "TIME", "stop waiting after this, with exit code 124")
      .text("bucket", options->bucket, "gs://B/PREFIX",
            "where it was launched (else its queued resource says)");
}

}  // namespace slipway::cli
