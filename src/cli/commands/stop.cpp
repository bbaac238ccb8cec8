#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/confirm.h"
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

Examples:
  slipway stop train-1 --yes
  slipway stop train-1 --yes --wait --timeout 5m)";

struct StopOptions {
  std::string job;
  std::string bucket;
  bool wait = false;
  std::string timeout;
};

Result<int> run_stop(const StopOptions& options, Services& services, const GlobalOptions& global) {
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
  TRY(confirm(fmt::format("Stop the job {}? It ends on all workers, and can only be launched anew.", name.id),
              global, services));
  const auto written =
      bucket.put(place.launch.prefix + "/ctl/stop", format_rfc3339(services.clock.wall_now()) + "\n",
                 storage::Condition::absent(), "text/plain");
  if (!written.ok() && written.error().code() != ErrorCode::kConflict) return written.error();
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
