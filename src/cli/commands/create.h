#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "slipway/model/create_spec.h"

namespace slipway::cli {

/// create's words, as typed.
struct CreateOptions {
  std::string id;
  std::string accelerator_type;
  std::string runtime_version;
  std::string node_id;
  int node_count = 0;
  std::string node_prefix;
  bool spot = false;
  bool reserved = false;
  bool best_effort = false;
  std::string network = "default";
  std::string subnetwork;
  bool internal_ips = false;
  std::string description;
  std::vector<std::string> tags;
  std::vector<std::string> labels;
  std::vector<std::string> metadata;
  std::vector<std::string> metadata_from_file;
  std::string startup_script;
  std::string ssh_key;
  std::string user;
  bool async = false;
  bool wait = false;
  std::string timeout;
};

void bind_create_flags(Flags flags, CreateOptions& options);

/// What the words ask the API for. Errors (kUsage): what the API could not answer well: words that exclude
/// each other, a number of slices that cannot be, files that are not there. Whether an accelerator type
/// exists is the API's to say.
Result<CreateSpec> create_spec(const CreateOptions& options);

Result<int> run_create(const CreateOptions& options, Services& services, const GlobalOptions& global);

}  // namespace slipway::cli
