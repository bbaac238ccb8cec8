#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "slipway/model/create_spec.h"

namespace slipway::cli {

/// create's words about what is asked for, as typed. `launch` takes the same.
struct ShapeOptions {
  std::string accelerator_type;
  std::string type;
  std::string topology;
  std::string runtime_version;
  std::string node_id;
  int node_count = 0;
  std::string node_prefix;
  std::string workload_type;
  bool spot = false;
  bool best_effort = false;
  bool guaranteed = false;
  std::string min_duration;
  bool reserved = false;
  std::string reservation;
  std::string reservation_host_project;
  std::string reservation_host_folder;
  std::string reservation_host_organization;
  std::string provisioning_model;
  std::string max_run_duration;
  std::string valid_after_duration;
  std::string valid_after_time;
  std::string valid_until_duration;
  std::string valid_until_time;
  std::string network;
  std::string subnetwork;
  std::vector<std::string> network_config;
  bool internal_ips = false;
  std::string range;
  std::string service_account;
  std::vector<std::string> scopes;
  std::vector<std::string> data_disk;
  std::string boot_disk;
  bool shielded_secure_boot = false;
  bool autocheckpoint_enabled = false;
  std::string description;
  std::vector<std::string> tags;
  std::vector<std::string> labels;
  std::vector<std::string> metadata;
  std::vector<std::string> metadata_from_file;
  std::string startup_script;
  std::string ssh_key;
  std::string user;
};

/// create's words.
struct CreateOptions : ShapeOptions {
  std::string id;
  std::string from_file;
  bool async = false;
  bool wait = false;
  bool if_not_exists = false;
  bool recreate = false;
  std::string timeout;
};

/// All of them but --startup-script and --user, which a job has in another sense.
void bind_shape_flags(Flags flags, ShapeOptions& options);
void bind_create_flags(Flags flags, CreateOptions& options);

/// What the words ask the API for, `now` being when the spans among them begin. Errors (kUsage): what the API
/// could not answer well: words that exclude each other, a number of slices that cannot be, durations and
/// times, files that are not there. Whether an accelerator type exists is the API's to say.
Result<CreateSpec> create_spec(const ShapeOptions& options, std::chrono::system_clock::time_point now);

/// Errors (kUsage) when two were given that exclude each other whatever they say: the same that the flags are
/// bound with.
Result<void> check_shape_rivals(const ShapeOptions& options);

/// The first flag among `options` that was given; empty for none.
std::string first_shape_flag(const ShapeOptions& options);

Result<int> run_create(const CreateOptions& options, Services& services, const GlobalOptions& global);

}  // namespace slipway::cli
