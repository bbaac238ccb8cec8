#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slipway/model/queued_resource.h"

namespace slipway {

/// The reservation to run on: one by its name, or any that this owner has.
struct Reservation {
  std::string owner;      ///< "projects/P", "folders/F", "organizations/O"; empty: the request's own project
  std::string id = "-";   ///< "-": any of the owner's
  std::string full_name;  ///< projects/../locations/../reservations/..: wins over both
};

/// One network card of every worker (networkConfigs[]).
struct NetworkCard {
  std::string network;
  std::string subnetwork;
  std::optional<bool> external_ips;
};

struct DataDisk {
  std::string source;
  std::string mode;  ///< READ_WRITE, READ_ONLY; empty for the API's own choice
};

struct BootDisk {
  std::string kms_key;
  std::string source_image;
  std::optional<bool> confidential_compute;
  std::optional<std::int64_t> size_gb;
  std::optional<std::int64_t> iops;
  std::optional<std::int64_t> throughput;

  bool said() const {
    return !kms_key.empty() || !source_image.empty() || confidential_compute || size_gb || iops || throughput;
  }
};

/// When the request may run. Each bound is either a span from now or a time; the times are RFC 3339, sent as
/// they are.
struct Validity {
  std::optional<std::chrono::milliseconds> after;
  std::optional<std::chrono::milliseconds> until;
  std::string after_time;
  std::string until_time;
};

/// What `create` asks for: one field for each flag, before any codec. Empty means "not said".
struct CreateSpec {
  std::string node_id;         ///< one slice; or
  int node_count = 0;          ///< this many, of 2 to 256, named
  std::string node_id_prefix;  ///< PREFIX-0 .. (the request's id when empty)
  std::string workload_type;   ///< THROUGHPUT_OPTIMIZED, AVAILABILITY_OPTIMIZED
  std::string accelerator_type;
  std::string type;      ///< with topology instead of accelerator_type: V4, V5LITE_POD, ..: the API's word
  std::string topology;  ///< 2x2x4
  std::string runtime_version;
  Tier tier = Tier::kOnDemand;
  std::optional<std::chrono::milliseconds> min_duration;  ///< of Tier::kGuaranteed
  std::optional<Reservation> reservation;
  std::string provisioning_model;  ///< STANDARD, SPOT, RESERVATION_BOUND, FLEX_START
  std::optional<std::chrono::milliseconds> max_run_duration;
  Validity validity;
  /// What the spans of `validity` count from, where they have to be sent as times. The same request sent
  /// again has to say the same time.
  std::chrono::system_clock::time_point as_of{};
  std::string network = "default";
  std::string subnetwork;
  bool internal_ips = false;
  std::vector<NetworkCard> network_cards;  ///< instead of the three above
  std::string cidr_block;
  std::string service_account;
  std::vector<std::string> scopes;
  std::vector<DataDisk> data_disks;
  BootDisk boot_disk;
  bool secure_boot = false;
  bool autocheckpoint = false;
  std::string description;
  std::vector<std::string> tags;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> metadata;  ///< with startup-script and ssh-keys, where asked for
};

}  // namespace slipway
