#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/job_place.h"
#include "cli/job_text.h"
#include "cli/listing.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(Its attempts with how they ended, the first error, the newest committed checkpoint, and where each worker is. Read from the
job's objects in its bucket: any machine can, and the workers are not asked.

Examples:
  slipway status train-1
  slipway status train-1 --bucket gs://my-bucket/runs       # when its queued resource is gone
  slipway status train-1 --format json | jq .attempts)";

struct StatusOptions {
  std::string job;
  std::string bucket;
};

Result<int> run_status(const StatusOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.job));
  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  TRY(const JobPlace place, find_job(*api, resource.name, options.bucket));
  storage::Bucket bucket = api->bucket(place.bucket);
  TRY(const launch::JobStatus status, launch::JobReader(bucket, place.launch.prefix).look());
  const std::string& name = resource.name.id;
  const auto people = [&] { return job_text(place, name, status, services.clock.wall_now()); };
  TRY(show_document(job_document(place, name, status), output, "state", people, services));
  return 0;
}

}  // namespace

void add_status(CommandLine& line) {
  auto options = std::make_shared<StatusOptions>();  // filled by the parser, read by the action after it
  line.add("status", "show how a job stands", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_status(*options, services, global);
           })
      .word("JOB", options->job, "the job")
      .text("bucket", options->bucket, "gs://B/PREFIX",
            "where it was launched (else its queued resource says)");
}

}  // namespace slipway::cli
