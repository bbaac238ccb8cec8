#include <algorithm>
#include <limits>

#include "cli/commands/create.h"
#include "slipway/core/format.h"

namespace slipway::cli {
namespace {

using Names = std::vector<std::string>;

/// Flags of which each on the left excludes each on the right. What depends on their values is create_spec's.
const std::pair<Names, Names> kShapeRivals[] = {
    {{"accelerator-type"}, {"type", "topology"}},
    {{"node-id"}, {"node-count", "node-prefix", "workload-type"}},
    {{"spot"}, {"best-effort"}},
    {{"spot", "best-effort"},
     {"guaranteed", "min-duration", "reserved", "reservation", "reservation-host-project",
      "reservation-host-folder", "reservation-host-organization"}},
    {{"reservation-host-project"}, {"reservation-host-folder", "reservation-host-organization"}},
    {{"reservation-host-folder"}, {"reservation-host-organization"}},
    {{"valid-after-duration"}, {"valid-after-time"}},
    {{"valid-until-duration"}, {"valid-until-time"}},
    {{"network-config"}, {"network", "subnetwork", "internal-ips"}},
};

/// A flag's name, and whether it was given.
using ShapeFlag = std::pair<const char*, bool>;

std::vector<ShapeFlag> shape_flags(const ShapeOptions& options) {
  return {
      {"accelerator-type", !options.accelerator_type.empty()},
      {"type", !options.type.empty()},
      {"topology", !options.topology.empty()},
      {"runtime-version", !options.runtime_version.empty()},
      {"node-id", !options.node_id.empty()},
      {"node-count", options.node_count != 0},
      {"node-prefix", !options.node_prefix.empty()},
      {"workload-type", !options.workload_type.empty()},
      {"spot", options.spot},
      {"best-effort", options.best_effort},
      {"guaranteed", options.guaranteed},
      {"min-duration", !options.min_duration.empty()},
      {"reserved", options.reserved},
      {"reservation", !options.reservation.empty()},
      {"reservation-host-project", !options.reservation_host_project.empty()},
      {"reservation-host-folder", !options.reservation_host_folder.empty()},
      {"reservation-host-organization", !options.reservation_host_organization.empty()},
      {"provisioning-model", !options.provisioning_model.empty()},
      {"max-run-duration", !options.max_run_duration.empty()},
      {"valid-after-duration", !options.valid_after_duration.empty()},
      {"valid-after-time", !options.valid_after_time.empty()},
      {"valid-until-duration", !options.valid_until_duration.empty()},
      {"valid-until-time", !options.valid_until_time.empty()},
      {"network", !options.network.empty()},
      {"subnetwork", !options.subnetwork.empty()},
      {"internal-ips", options.internal_ips},
      {"network-config", !options.network_config.empty()},
      {"range", !options.range.empty()},
      {"service-account", !options.service_account.empty()},
      {"scopes", !options.scopes.empty()},
      {"data-disk", !options.data_disk.empty()},
      {"boot-disk", !options.boot_disk.empty()},
      {"shielded-secure-boot", options.shielded_secure_boot},
      {"autocheckpoint-enabled", options.autocheckpoint_enabled},
      {"description", !options.description.empty()},
      {"tags", !options.tags.empty()},
      {"labels", !options.labels.empty()},
      {"metadata", !options.metadata.empty()},
      {"metadata-from-file", !options.metadata_from_file.empty()},
      {"startup-script", !options.startup_script.empty()},
  };
}

Names shape_flag_names() {
  Names names;
  for (const auto& [flag, is_given] : shape_flags({})) names.emplace_back(flag);
  return names;
}

}  // namespace

void bind_shape_flags(Flags flags, ShapeOptions& options) {
  flags.text("accelerator-type", options.accelerator_type, "TYPE", "such as v4-16; the API judges it")
      .text("type", options.type, "TYPE", "generation, with --topology: v4, v5litepod, v5p, v6e, tpu7x, ..")
      .text("topology", options.topology, "AxBxC", "shape of a slice in chips, such as 2x2x4")
      .text("runtime-version", options.runtime_version, "VERSION",
            "software of the workers (default: the one documented for the accelerator)")
      .text("node-id", options.node_id, "NAME", "one slice of this name")
      .number("node-count", options.node_count, "N", "this many slices, 2 to 256",
              std::numeric_limits<int>::min(), std::numeric_limits<int>::max())
      .text("node-prefix", options.node_prefix, "PREFIX",
            "names of many slices: PREFIX-0, PREFIX-1, ... (else the id)")
      .text("workload-type", options.workload_type, "TYPE",
            "of many slices: throughput-optimized or availability-optimized (v2alpha1)")
      .on("spot", options.spot, "cheaper, and may be taken away at any time")
      .on("best-effort", options.best_effort, "only when nobody else wants the chips (v2alpha1)")
      .on("guaranteed", options.guaranteed, "the guaranteed tier")
      .text("min-duration", options.min_duration, "TIME", "of the guaranteed tier: at least so long")
      .on("reserved", options.reserved, "use any reservation of the project")
      .text("reservation", options.reservation, "NAME", "use this reservation: its id or full name")
      .text("reservation-host-project", options.reservation_host_project, "ID",
            "the reservation is another project's")
      .text("reservation-host-folder", options.reservation_host_folder, "ID", "the reservation is a folder's")
      .text("reservation-host-organization", options.reservation_host_organization, "ID",
            "the reservation is an organization's")
      .text("provisioning-model", options.provisioning_model, "MODEL",
            "standard, spot, reservation-bound or flex-start (v2alpha1)")
      .text("max-run-duration", options.max_run_duration, "TIME",
            "the slices are deleted after this (v2alpha1)")
      .text("valid-after-duration", options.valid_after_duration, "TIME",
            "not before this has passed: 1h30m, PT90M")
      .text("valid-after-time", options.valid_after_time, "TIME", "not before this: 2026-12-01T08:00:00Z")
      .text("valid-until-duration", options.valid_until_duration, "TIME",
            "the request fails when it does not run by then")
      .text("valid-until-time", options.valid_until_time, "TIME", "the same, as a time")
      .text("network", options.network, "NETWORK", "VPC network (default: default)")
      .text("subnetwork", options.subnetwork, "SUBNETWORK", "VPC subnetwork")
      .on("internal-ips", options.internal_ips, "no external addresses")
      .texts("network-config", options.network_config, "K=V,..",
             "a network card: network=N,subnetwork=S,external-ips=true; again for another")
      .text("range", options.range, "CIDR", "addresses of the slice, such as 10.0.0.0/29")
      .text("service-account", options.service_account, "EMAIL", "identity of the workers")
      .texts("scopes", options.scopes, "SCOPE,..", "of that identity: full names or gcloud's short ones")
      .texts("data-disk", options.data_disk, "K=V,..",
             "attach source=DISK,mode=read-only|read-write; again for another")
      .text("boot-disk", options.boot_disk, "K=V,..",
            "kms-key, confidential-compute, size-gb, iops, throughput, image (v2alpha1)")
      .on("shielded-secure-boot", options.shielded_secure_boot, "boot signed software only")
      .on("autocheckpoint-enabled", options.autocheckpoint_enabled,
          "checkpoint before maintenance (v2alpha1)")
      .text("description", options.description, "TEXT", "of each slice")
      .texts("tags", options.tags, "TAG,..", "network tags")
      .pairs("labels", options.labels, "K=V,..", "labels of each slice")
      .pairs("metadata", options.metadata, "K=V,..", "metadata of each worker")
      .pairs("metadata-from-file", options.metadata_from_file, "K=FILE,..",
             "metadata, each value from a file")
      .text("ssh-key", options.ssh_key, "FILE", "let this key log in (default: gcloud's, if it is there)");
  for (const auto& [one, other] : kShapeRivals) flags.rivals(one, other);
}

void bind_create_flags(Flags flags, CreateOptions& options) {
  flags.word("QR", options.id, "the new queued resource: its id or full name");
  bind_shape_flags(flags, options);
  flags.text("user", options.user, "NAME", "user of the ssh key (default: your login name)")
      .text("startup-script", options.startup_script, "FILE", "run on each worker at every boot")
      .text("from-file", options.from_file, "FILE",
            "the request's body as JSON, instead of the flags above (- is stdin)")
      .on("if-not-exists", options.if_not_exists,
          "exit 0 when it is there already and equal, 6 with the difference when not")
      .on("recreate", options.recreate, "delete one that is FAILED or SUSPENDED first")
      .on("async", options.async, "do not wait until the request is queued")
      .on("wait", options.wait, "wait until it is ACTIVE")
      .text("timeout", options.timeout, "TIME",
            "give up waiting after this, with exit code 124; the request stays")
      .rivals({"async"}, {"wait"})
      .rivals({"from-file"}, shape_flag_names());
}

std::string first_shape_flag(const ShapeOptions& options) {
  for (const auto& [flag, is_given] : shape_flags(options)) {
    if (is_given) return fmt::format("--{}", flag);
  }
  return "";
}

Result<void> check_shape_rivals(const ShapeOptions& options) {
  const std::vector<ShapeFlag> flags = shape_flags(options);
  const auto first_given = [&](const std::vector<std::string>& names) {
    for (const auto& [flag, is_given] : flags) {
      if (is_given && std::find(names.begin(), names.end(), flag) != names.end()) return std::string(flag);
    }
    return std::string();
  };
  for (const auto& [one, other] : kShapeRivals) {
    const std::string first = first_given(one);
    const std::string second = first_given(other);
    if (first.empty() || second.empty()) continue;
    return Error(ErrorCode::kUsage, fmt::format("--{} and --{} exclude each other", first, second));
  }
  return {};
}

}  // namespace slipway::cli
