#pragma once

#include <map>
#include <string>
#include <vector>

#include "slipway/model/queued_resource.h"

namespace slipway {

/// What `create` asks for: one field for each flag, before any codec. Empty means "not said".
struct CreateSpec {
  std::string node_id;         ///< one slice; or
  int node_count = 0;          ///< this many, of 2 to 256, named
  std::string node_id_prefix;  ///< PREFIX-0 .. (the request's id when empty)
  std::string accelerator_type;
  std::string runtime_version;
  Tier tier = Tier::kOnDemand;
  bool reserved = false;  ///< reservationName projects/P/locations/Z/reservations/-
  std::string network = "default";
  std::string subnetwork;
  bool internal_ips = false;
  std::string description;
  std::vector<std::string> tags;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> metadata;  ///< with startup-script and ssh-keys, where asked for
};

}  // namespace slipway
