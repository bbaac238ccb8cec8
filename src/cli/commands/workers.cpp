#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/exit_code.h"
#include "cli/listing.h"
#include "cli/resource_workers.h"
#include "cli/slice_source.h"
#include "cli/ssh_key.h"
#include "cli/worker_formats.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/model/next_step.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(One row a worker. --format ssh-config has an entry SLICE-wN for each, with its published host key pinned; ansible is
an inventory with a group for each slice; hosts is one address a line.

Examples:
  slipway workers train-1
  slipway workers train-1 --format ssh-config > cfg && ssh -F cfg train-1-0-w0
  slipway workers train-1 --format ansible > hosts.yaml && ansible all -i hosts.yaml -m ping
  pdsh -w ^<(slipway workers train-1 --format hosts) hostname
  slipway workers node:my-tpu --format 'value(worker,ipAddress)')";

struct WorkersOptions {
  std::string id;
  std::string node = "all";
  std::string worker = "all";
  Login login;
};

Json document_of(const Worker& worker) {
  Json document = {{"slice", worker.slice},
                   {"sliceIndex", worker.slice_index},
                   {"worker", worker.index},
                   {"ipAddress", worker.endpoint.address},
                   {"state", worker.slice_state}};
  if (!worker.endpoint.external_address.empty()) document["externalIp"] = worker.endpoint.external_address;
  if (!worker.slice_health.empty()) document["health"] = worker.slice_health;
  return document;
}

Listing listing_of(const std::vector<Worker>& workers) {
  Listing listing({{"SLICE", "slice"},
                   {"WORKER", "worker"},
                   {"INTERNAL_IP", "ipAddress"},
                   {"EXTERNAL_IP", "externalIp"},
                   {"STATE", "state"},
                   {"HEALTH", "health"}});
  for (const Worker& worker : workers) {
    listing.add(dump_json(document_of(worker), 2),
                {worker.slice, std::to_string(worker.index), worker.endpoint.address,
                 worker.endpoint.external_address, worker.slice_state, worker.slice_health});
  }
  return listing;
}

bool is_for_programs(Format format) {
  return format == Format::kSshConfig || format == Format::kAnsible || format == Format::kHosts;
}

bool names_host_keys(Format format) { return format == Format::kSshConfig || format == Format::kAnsible; }

/// Only what logs in needs to know as whom.
Result<Login> login_of(const WorkersOptions& options, Format format) {
  Login login = options.login;
  if (!names_host_keys(format)) return login;
  TRY(login.user, ssh_user(login.user));
  login.key_file = ssh_key_path(login.key_file);
  return login;
}

Error no_slices_yet(const QueuedResource& resource) {
  return Error(ErrorCode::kConflict,
               fmt::format("'{}' has no slices now: it is {}", resource.name.id, resource.state_text))
      .next(next_step(resource));
}

Result<void> show(const ResourceWorkers& rows, const SliceSource& source, const OutputFormat& output,
                  const Login& login, const Services& services) {
  const std::vector<Worker>& workers = rows.workers;
  if (!is_for_programs(output.format)) return listing_of(workers).show(output, services);
  TRY(check_for_programs(workers));
  write_result(output.format == Format::kHosts       ? hosts_text(workers, login)
               : output.format == Format::kSshConfig ? ssh_config_text(workers, login)
                                                     : ansible_text(workers, source.id, login),
               services);
  if (!names_host_keys(output.format)) return {};
  for (const Worker& worker : workers) {
    if (worker.host_keys.empty())
      services.say(
          fmt::format("{} has published no host key: ssh will refuse to connect to it", worker.label()));
  }
  return {};
}

Result<int> run_workers(const WorkersOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global, FormatKind::kWorkers));
  TRY(const Selection slices, Selection::parse(options.node));
  TRY(const Selection workers, Selection::parse(options.worker));
  TRY(const Login login, login_of(options, output.format));
  TRY(const SourceSettings wanted, resolve_settings_for_slices(global, options.id));
  TRY(const std::unique_ptr<Api> api, Api::open(wanted.settings, services));
  TRY(const SliceSet found, find_slices(*api, wanted.source));
  const HostKeys keys = names_host_keys(output.format) ? HostKeys::kFetch : HostKeys::kSkip;
  Result<ResourceWorkers> rows_found = find_workers(api->client(), found, slices, workers, keys);
  if (!rows_found.ok() && rows_found.error().code() == ErrorCode::kNotFound && found.resource)
    return no_slices_yet(*found.resource);
  TRY(const ResourceWorkers rows, std::move(rows_found));

  TRY(show(rows, wanted.source, output, login, services));
  for (const MissingSlice& missing : rows.missing) {
    services.say(fmt::format("slice {} could not be read: {}", missing.name, missing.error.message()));
  }
  return rows.missing.empty() ? kOk : exit_code(rows.missing.front().error);
}

}  // namespace

void add_workers(CommandLine& line) {
  auto options = std::make_shared<WorkersOptions>();  // filled by the parser, read by the action after it
  line.add("workers", "list the workers of a queued resource", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_workers(*options, services, global);
           })
      .word("QR", options->id, "a queued resource, node:NAME, or prefix:P for all nodes P-<number>")
      .text("node", options->node, "SLICES", "slices: all, 0, 1,4-6, a name, !3")
      .text("worker", options->worker, "WORKERS", "workers of each slice: all, 0, 1-3, !0")
      .on("internal-ip", options->login.internal_ip, "ssh-config, ansible, hosts: internal addresses")
      .text("user", options->login.user, "NAME", "ssh-config, ansible: log in as (default: your login name)")
      .text("ssh-key", options->login.key_file, "FILE",
            "ssh-config, ansible: private key (default: ~/.ssh/google_compute_engine)")
      .number("ssh-port", options->login.port, "PORT", "ssh-config, ansible: port of the workers", 1, 65535);
}

}  // namespace slipway::cli
