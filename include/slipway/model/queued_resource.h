#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slipway/model/resource_name.h"

namespace slipway {

/// TPU API v2, QueuedResourceState.State. kOther is a state that this build does not know: shown as it came,
/// and never taken for a final one.
enum class QueuedResourceState {
  kOther,
  kCreating,
  kAccepted,
  kWaitingForResources,
  kProvisioning,
  kActive,
  kFailed,
  kSuspending,
  kSuspended,
  kDeleting
};

std::string to_string(QueuedResourceState state);
/// The API's word, in any case; nothing when there is no such state.
std::optional<QueuedResourceState> parse_queued_resource_state(std::string_view text);
/// All states by the API's words, for help and for "did you mean".
const std::vector<std::string>& queued_resource_state_names();

/// What a google.rpc.Status says.
struct ApiStatus {
  int code = 0;  ///< google.rpc.Code
  std::string message;
};

/// One entry of tpu.nodeSpec: one slice once the API has expanded it, or `node_count` of them before that.
struct NodeSpec {
  std::string node_id;         ///< empty while a multislice request is not expanded
  int node_count = 1;          ///< multisliceParams.nodeCount
  std::string node_id_prefix;  ///< multisliceParams.nodeIdPrefix; the request's id when the API leaves it out
  std::string accelerator_type;
  std::string type;      ///< acceleratorConfig.type, when the shape was given by chips
  std::string topology;  ///< acceleratorConfig.topology
  std::string runtime_version;
};

enum class Tier { kOnDemand, kSpot, kGuaranteed, kBestEffort };
std::string to_string(Tier tier);

/// When a request may be served, and how long its slices may live: texts of the API, empty where nothing is
/// said.
struct Schedule {
  std::string from;          ///< queueingPolicy.validAfterTime, validInterval.startTime
  std::string until;         ///< queueingPolicy.validUntilTime, validInterval.endTime; then it fails
  std::string from_delay;    ///< queueingPolicy.validAfterDuration, "5400s"
  std::string until_delay;   ///< queueingPolicy.validUntilDuration
  std::string run_duration;  ///< runDuration.maxRunDuration
  std::string run_end;       ///< runDuration.terminationTime
};

/// A request for slices, which the API queues until all of them can run.
struct QueuedResource {
  QueuedResourceName name;
  QueuedResourceState state = QueuedResourceState::kOther;
  std::string state_text;       ///< the API's own word
  std::string state_initiator;  ///< USER or SERVICE; empty when the API does not say
  std::optional<ApiStatus> failure;
  std::string create_time;  ///< RFC 3339, as it came
  Tier tier = Tier::kOnDemand;
  std::string reservation;
  std::string provisioning_model;  ///< v2alpha1: STANDARD, SPOT, RESERVATION_BOUND, FLEX_START
  Schedule schedule;
  std::vector<NodeSpec> node_specs;
  /// The API's document, byte for byte what it was before decoding: what --format=json prints.
  std::string document;

  /// The names of all slices, in order: nodeId where the API has expanded the request, else prefix-0 ..
  /// prefix-(N-1).
  std::vector<std::string> slice_names() const;
};

}  // namespace slipway
