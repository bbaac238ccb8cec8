#include <memory>

#include "cli/api.h"
#include "cli/api_version.h"
#include "cli/commands/commands.h"
#include "cli/commands/create.h"
#include "cli/dry_run.h"
#include "cli/flag_values.h"
#include "cli/job_options.h"
#include "cli/job_watch.h"
#include "cli/launching.h"
#include "cli/listing.h"
#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"
#include "slipway/model/accelerator.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(Requests the slices with a startup script that sets up, runs the command on every worker, and after every boot, reset,
repair, preemption or crash resumes from the newest committed checkpoint (SLIPWAY_RESUME_STEP, SLIPWAY_CHECKPOINT_DIR). The
job goes on without this machine. The same command again is the same job; docs/job.md tells what it does about what goes wrong.

Examples:
  slipway launch train-1 -f job.yaml
  slipway launch train-1 -f job.yaml --code . --bucket gs://my-bucket/runs --follow
  slipway launch train-1 --node-count 4 --accelerator-type v4-16 --bucket gs://my-bucket/runs --code git+https://example.com/r@v1 \
    --setup 'pip install -r requirements.txt' --command 'python3 train.py' --checkpoint-dir gs://my-bucket/ckpt/train-1
  slipway launch train-1 -f job.yaml --print-script | shellcheck -
  slipway launch train-1 -f job.yaml --dry-run)";

struct LaunchOptions {
  JobOptions job;
  ShapeOptions shape;
  LaunchingOptions behaviour;
  bool print_script = false;
  bool wait = false;
  bool follow = false;
  std::string timeout;
};

/// Where the workers find what we find: the emulator's services are elsewhere for both.
launch::ServiceEndpoints endpoints_of(const Settings& settings) {
  launch::ServiceEndpoints endpoints;
  endpoints.storage = storage::endpoint_from_environment();
  endpoints.tpu = settings.endpoint;
  while (!endpoints.tpu.empty() && endpoints.tpu.back() == '/') endpoints.tpu.pop_back();
  return endpoints;
}

Result<std::optional<launch::CodeArchive>> pack(const std::string& code) {
  if (code.empty() || code.rfind("gs://", 0) == 0) return std::optional<launch::CodeArchive>();
  if (code.rfind("git+", 0) != 0) {
    TRY(launch::CodeArchive archive, launch::pack_folder(code));
    return std::optional(std::move(archive));
  }
  TRY(const launch::GitPlace place, launch::parse_git_place(code.substr(4)));
  TRY(launch::CodeArchive archive, launch::pack_revision(place.url, place.revision));
  return std::optional(std::move(archive));
}

void name_code(launch::JobSpec& job, const launch::CodeArchive& archive) {
  job.code = job.home.below(fmt::format("code/{}.tar.gz", archive.sha256));
  job.code_sha256 = archive.sha256;
}

/// An archive that is in a bucket already is read once, for its digest: the workers compare it.
Result<void> name_stored_code(launch::JobSpec& job, const std::string& uri, Api& api) {
  TRY(job.code, storage::parse_location(uri, "--code"));
  TRY(const storage::Object archive, api.bucket(job.code.bucket).get(job.code.prefix));
  job.code_sha256 = launch::sha256_hex(archive.bytes);
  return {};
}

Result<launch::JobSpec> read_job(const LaunchOptions& options, const QueuedResourceName& name,
                                 const CreateSpec& shape) {
  JobOptions words = options.job;
  words.name = name.id;
  TRY(launch::JobSpec job, job_spec(words));
  job.slices = std::max(shape.node_count, 1);
  job.accelerator_type =
      shape.type.empty() ? shape.accelerator_type : fmt::format("{} {}", shape.type, shape.topology);
  job.runtime_version = shape.runtime_version;
  const auto slice = shape.type.empty() ? shape_of_type(shape.accelerator_type)
                                        : shape_of_topology(shape.type, shape.topology);
  if (slice) job.chips = slice->chips;
  job.resource = name.path();
  return job;
}

/// What every job needs, all that is missing at once.
Result<void> check_given(const LaunchOptions& options) {
  const ShapeOptions& shape = options.shape;
  std::vector<std::string> missing;
  if (shape.accelerator_type.empty() && shape.type.empty() && shape.topology.empty())
    missing.push_back("--accelerator-type (for example v4-16)");
  if (shape.node_id.empty() && shape.node_count == 0)
    missing.push_back("--node-count N (for one slice --node-id NAME)");
  if (options.job.bucket.empty()) missing.push_back("--bucket gs://BUCKET/PREFIX (for code, state and logs)");
  if (options.job.command.empty()) missing.push_back("--command SHELL (what every worker runs)");
  if (missing.empty()) return {};
  return Error(ErrorCode::kUsage, fmt::format("missing: {}", fmt::join(missing, ", ")))
      .next("slipway launch --help");
}

Result<int> run_launch(const LaunchOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const bool dry_run, is_dry_run(global));
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(const auto version, api_version(global));
  const auto now = services.clock.wall_now();
  TRY(check_given(options));
  if (!options.timeout.empty() && !options.wait && !options.follow)
    return Error(ErrorCode::kUsage,
                 "--timeout is for --wait and --follow: without them nothing is waited for");
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.job.name));
  const QueuedResourceName& name = resource.name;
  CreateOptions create;
  static_cast<ShapeOptions&>(create) = options.shape;
  TRY(const CreateSpec shape, create_spec(create, now));
  TRY(launch::JobSpec job, read_job(options, name, shape));
  TRY(CreateRequest request, CreateRequest::from(create, name.location, version, now));
  TRY(const std::optional<launch::CodeArchive> archive, pack(options.job.code));
  if (archive) name_code(job, *archive);
  const launch::ServiceEndpoints endpoints = endpoints_of(resource.settings);
  TRY(launch::startup_script(job, endpoints));  // its size, before anything is contacted

  const bool offline = archive || options.job.code.empty();
  std::unique_ptr<Api> api;
  if (!offline || !(dry_run || options.print_script)) {
    TRY(api, Api::open(resource.settings, services));
  }
  if (!offline) TRY(name_stored_code(job, options.job.code, *api));
  if (options.print_script) {
    TRY(const std::string script, launch::startup_script(job, endpoints));
    services.streams.out->write(script);
    return 0;
  }
  if (dry_run) {
    TRY(const CreateRequest whole, with_job(std::move(request), job, endpoints));
    show_call(tpu::create_call(name, whole.body(now), make_uuid()), resource.settings, global, services);
    return 0;
  }
  if (!request.note().empty()) services.say(request.note());
  TRY(const JobPlace place,
      Launching(*api, name, job, archive, std::move(request), options.behaviour, services).run(endpoints));
  services.say(fmt::format("launched {}: {}", name.id, place.uri()));
  if (!options.wait && !options.follow) {
    services.say(fmt::format("next: slipway status {0}   (or: slipway logs {0} -f)", shell_quote(name.id)));
    return 0;
  }
  return JobWatch(*api, name, place, {options.follow, timeout}, services).run();
}

}  // namespace

void add_launch(CommandLine& line) {
  auto options = std::make_shared<LaunchOptions>();  // filled by the parser, read by the action after it
  Flags flags = line.add("launch", "start a job that finishes by itself", kDetails,
                         [options](Services& services, const GlobalOptions& global) {
                           return run_launch(*options, services, global);
                         });
  flags.word("JOB", options->job.name, "the new job, and its queued resource");
  bind_job_flags(flags, options->job);
  flags.on("print-script", options->print_script, "show the startup script, and do nothing")
      .on("wait", options->wait, "wait until the job is over")
      .on("follow", options->follow, "the same, showing what slice 0 worker 0 says")
      .text("timeout", options->timeout, "TIME",
            "stop waiting after this, with exit code 124; the job goes on")
      .on("replace", options->behaviour.replace, "launch the name anew, though it was used before")
      .on("recreate", options->behaviour.recreate,
          "delete a queued resource that is FAILED or SUSPENDED first");
  bind_shape_flags(flags, options->shape);
  line.takes_flag_file("launch", "file", {"print-script", "follow", "replace", "recreate"});
}

}  // namespace slipway::cli
