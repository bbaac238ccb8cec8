#include <limits>
#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/commands/create.h"
#include "cli/dry_run.h"
#include "cli/flag_values.h"
#include "cli/intent.h"
#include "cli/output_format.h"
#include "cli/ssh_key.h"
#include "cli/state_watch.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

constexpr std::size_t kMaxMetadataValue = 256 * 1024;  // of one value, Compute Engine's limit
constexpr int kMaxSlices = 256;

constexpr const char* kDetails =
    R"(Without --wait it ends when the request is queued. Several slices need --node-count.

Examples:
  slipway create train-1 --node-count 4 --accelerator-type v4-16 --runtime-version tpu-ubuntu2204-base --wait
  slipway create dev-1 --node-id dev-1 --accelerator-type v5litepod-16 --runtime-version v2-alpha-tpuv5-lite --spot
  slipway create train-1 --node-count 4 --accelerator-type v4-16 --runtime-version tpu-ubuntu2204-base --dry-run=curl)";

Error exclusive(std::string_view one, std::string_view other) {
  return Error(ErrorCode::kUsage, fmt::format("{} and {} exclude each other", one, other));
}

Result<void> check_shape(const CreateOptions& options) {
  if (!options.node_id.empty() && options.node_count != 0) return exclusive("--node-id", "--node-count");
  if (!options.node_id.empty() && !options.node_prefix.empty())
    return exclusive("--node-id", "--node-prefix");
  if (options.node_id.empty() && options.node_count == 0) {
    return Error(ErrorCode::kUsage, "say how many slices")
        .next("add --node-count N for several, or --node-id NAME for one");
  }
  if (options.node_id.empty() && (options.node_count < 2 || options.node_count > kMaxSlices)) {
    return Error(ErrorCode::kUsage,
                 fmt::format("--node-count {} is not from 2 to {}", options.node_count, kMaxSlices))
        .why("one slice is asked for with --node-id NAME");
  }
  if (!options.node_id.empty()) TRY(check_resource_id("--node-id", options.node_id));
  if (!options.node_prefix.empty()) TRY(check_resource_id("--node-prefix", options.node_prefix));
  return {};
}

Result<void> check_required(const CreateOptions& options) {
  std::string missing;
  if (options.accelerator_type.empty()) missing = "--accelerator-type (for example v4-16)";
  if (options.runtime_version.empty()) {
    missing += missing.empty() ? "" : " and ";
    missing += "--runtime-version (for example tpu-ubuntu2204-base)";
  }
  if (missing.empty()) return {};
  return Error(ErrorCode::kUsage, fmt::format("{} must be given", missing)).next("slipway create --help");
}

Result<Tier> tier_of(const CreateOptions& options) {
  const int said = int{options.spot} + int{options.reserved} + int{options.best_effort};
  if (said > 1) return Error(ErrorCode::kUsage, "--spot, --reserved and --best-effort exclude each other");
  if (options.spot) return Tier::kSpot;
  if (options.best_effort) return Tier::kBestEffort;
  return Tier::kOnDemand;
}

Result<std::map<std::string, std::string>> metadata_of(const CreateOptions& options) {
  TRY(auto metadata, parse_dict("--metadata", options.metadata));
  TRY(auto files, parse_dict("--metadata-from-file", options.metadata_from_file));
  if (!options.startup_script.empty() && !files.emplace("startup-script", options.startup_script).second) {
    return exclusive("--startup-script", "--metadata-from-file startup-script=...");
  }
  for (const auto& [key, path] : files) {
    TRY(std::string content, read_file(path, kMaxMetadataValue));
    if (!metadata.emplace(key, std::move(content)).second) {
      return Error(ErrorCode::kUsage, fmt::format("the metadata key '{}' is given twice", printable(key)));
    }
  }
  for (const auto& [key, value] : metadata) {
    if (value.size() > kMaxMetadataValue) {
      return Error(ErrorCode::kUsage,
                   fmt::format("the metadata value of '{}' is larger than 256 KiB", printable(key)));
    }
  }
  return metadata;
}

std::string created_text(const QueuedResourceName& name, const CreateSpec& spec) {
  return spec.node_count > 0
             ? fmt::format("{}: {} slices of {}", name.id, spec.node_count, spec.accelerator_type)
             : fmt::format("{}: one slice of {}", name.id, spec.accelerator_type);
}

/// The key that `run` will use is put into the nodes at once, where there is one, so that no node has to be
/// changed later.
/// One that was named must be usable; gcloud's own is taken if it is.
Result<void> add_ssh_key(CreateSpec& spec, const CreateOptions& options) {
  if (spec.metadata.count("ssh-keys") > 0) return {};
  const std::string path = ssh_key_path(options.ssh_key);
  if (options.ssh_key.empty() && !file_exists(path)) return {};
  Result<ssh::Identity> identity = ssh::Identity::load(path);
  if (!identity.ok() && options.ssh_key.empty()) return {};
  if (!identity.ok()) return std::move(identity).error();
  TRY(const std::string user, ssh_user(options.user));
  spec.metadata["ssh-keys"] = metadata_key_line(user, *identity);
  return {};
}

Result<int> show_created(tpu::Client& client, const QueuedResourceName& name, Format format,
                         Services& services) {
  if (format == Format::kTable) return 0;
  TRY(const QueuedResource resource, client.get(name));
  services.streams.out->write((format == Format::kJson ? resource.document : resource.state_text) + "\n");
  return 0;
}

}  // namespace

Result<CreateSpec> create_spec(const CreateOptions& options) {
  TRY(check_required(options));
  TRY(check_shape(options));
  CreateSpec spec;
  TRY(spec.tier, tier_of(options));
  spec.reserved = options.reserved;
  spec.node_id = options.node_id;
  spec.node_count = options.node_count;
  spec.node_id_prefix = options.node_prefix;
  spec.accelerator_type = to_lower(options.accelerator_type);
  spec.runtime_version = options.runtime_version;
  spec.network = options.network;
  spec.subnetwork = options.subnetwork;
  spec.internal_ips = options.internal_ips;
  spec.description = options.description;
  spec.tags = parse_list(options.tags);
  TRY(spec.labels, parse_dict("--labels", options.labels));
  TRY(spec.metadata, metadata_of(options));
  return spec;
}

Result<int> run_create(const CreateOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const Format format, parse_format(global.format));
  TRY(const bool dry_run, is_dry_run(global));
  if (options.async && options.wait) return exclusive("--async", "--wait");
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(CreateSpec spec, create_spec(options));
  TRY(add_ssh_key(spec, options));
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.id));
  const QueuedResourceName& name = resource.name;
  const std::string content = tpu::create_call(name, spec, "").body;
  if (dry_run) {
    show_call(tpu::create_call(name, spec, make_uuid()), resource.settings, global, services);
    return 0;
  }

  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  Intent intent = Intent::open(*api, "create", name, content, services);
  Result<Operation> created = api->client().create(name, spec, intent.request_id());
  if (created.ok()) {
    services.say(fmt::format("requested {}", created_text(name, spec)));
    if (!options.async) created = tpu::wait_for_operation(api->client(), *created, timeout);
  }
  if (!created.ok()) {
    intent.settle(created.error());
    Error error = std::move(created).error();
    if (error.code() != ErrorCode::kConflict) return error;
    return std::move(error).next(fmt::format("slipway describe {}", name.id));
  }
  intent.close();
  if (options.async) return show_created(api->client(), name, format, services);

  services.say(fmt::format("{} is queued", name.id));
  if (options.wait) {
    tpu::WaitOptions wait;
    wait.states = {QueuedResourceState::kActive};
    wait.timeout = timeout;
    StateWatch watch(name.id, services);
    TRY(tpu::wait_for(api->client(), name, wait, std::ref(watch)));
  } else {
    services.say(fmt::format("next: slipway wait {} --for ACTIVE", name.id));
  }
  return show_created(api->client(), name, format, services);
}

void add_create(CommandLine& line) {
  auto options = std::make_shared<CreateOptions>();  // filled by the parser, read by the action after it
  bind_create_flags(line.add("create", "request one or many slices", kDetails,
                             [options](Services& services, const GlobalOptions& global) {
                               return run_create(*options, services, global);
                             }),
                    *options);
}

void bind_create_flags(Flags flags, CreateOptions& options) {
  flags.word("QR", options.id, "the new queued resource: its id or full name")
      .text("accelerator-type", options.accelerator_type, "TYPE", "such as v4-16; the API judges it")
      .text("runtime-version", options.runtime_version, "VERSION",
            "software of the workers, such as tpu-ubuntu2204-base")
      .text("node-id", options.node_id, "NAME", "one slice of this name")
      .number("node-count", options.node_count, "N", "this many slices, 2 to 256",
              std::numeric_limits<int>::min(), std::numeric_limits<int>::max())
      .text("node-prefix", options.node_prefix, "PREFIX",
            "names of many slices: PREFIX-0, PREFIX-1, ... (else the id)")
      .on("spot", options.spot, "cheaper, and may be taken away at any time")
      .on("reserved", options.reserved, "use a reservation of the project")
      .on("best-effort", options.best_effort, "only when nobody else wants the chips (v2alpha1)")
      .text("network", options.network, "NETWORK", "VPC network (default: default)")
      .text("subnetwork", options.subnetwork, "SUBNETWORK", "VPC subnetwork")
      .on("internal-ips", options.internal_ips, "no external addresses")
      .text("description", options.description, "TEXT", "of each slice")
      .texts("tags", options.tags, "TAG,..", "network tags")
      .texts("labels", options.labels, "K=V,..", "labels of each slice")
      .texts("metadata", options.metadata, "K=V,..", "metadata of each worker")
      .texts("metadata-from-file", options.metadata_from_file, "K=FILE,..",
             "metadata, each value from a file")
      .text("startup-script", options.startup_script, "FILE", "run on each worker at every boot")
      .text("ssh-key", options.ssh_key, "FILE", "let this key log in (default: gcloud's, if it is there)")
      .text("user", options.user, "NAME", "user of that key (default: your login name)")
      .on("async", options.async, "do not wait until the request is queued")
      .on("wait", options.wait, "wait until it is ACTIVE")
      .text("timeout", options.timeout, "TIME",
            "give up waiting after this, with exit code 124; the request stays");
}

}  // namespace slipway::cli
