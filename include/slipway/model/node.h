#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slipway/model/resource_name.h"

namespace slipway {

/// One TPU VM's way in. `external_address` is empty for a VM without one.
struct NetworkEndpoint {
  std::string address;
  std::string external_address;
};

/// What a slice's own watchers noticed (TPU API v2, Symptom).
struct Symptom {
  std::string type;  ///< OUT_OF_MEMORY, MESH_BUILD_FAIL, ...: the API's word
  std::string worker;
  std::string details;
};

/// A maintenance that is coming or running (TPU API v2, UpcomingMaintenance); times as they came.
struct Maintenance {
  std::string type;    ///< SCHEDULED, UNSCHEDULED
  std::string status;  ///< PENDING, ONGOING
  std::string window_start;
  std::string window_end;
};

/// A slice as the API describes it: a node with one endpoint for each of its workers (TPU API v2, Node).
struct Node {
  NodeName name;
  std::string id;      ///< the instance's number: a repaired slice has a new one under the same name
  std::string state;   ///< READY, CREATING, PREEMPTED, ...: the API's word
  std::string health;  ///< HEALTHY, UNHEALTHY_MAINTENANCE, ...; empty when the API does not say
  std::string health_description;
  std::vector<Symptom> symptoms;
  std::optional<Maintenance> maintenance;
  std::string accelerator_type;
  std::string runtime_version;
  std::string create_time;
  std::string queued_resource;  ///< full name of the request that made it; the project may be a number
  std::map<std::string, std::string> metadata;
  /// One a worker, in worker order. A node in several networks lists one for each network card: only the
  /// first of each worker is kept.
  std::vector<NetworkEndpoint> endpoints;
  std::string document;  ///< the API's document, unchanged

  bool ready() const { return state == "READY"; }
};

/// A host key that a worker published through the guest attributes: "ssh-ed25519" and base64.
struct PublishedHostKey {
  std::string type;
  std::string base64;
};

/// What one worker says of itself through guest attributes.
struct GuestAttributes {
  std::vector<PublishedHostKey> host_keys;
  std::string hostname;
};

}  // namespace slipway
