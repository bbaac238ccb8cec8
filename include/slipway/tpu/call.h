#pragma once

#include <string>
#include <utility>
#include <vector>

#include "slipway/model/create_spec.h"
#include "slipway/model/node.h"
#include "slipway/model/queued_resource.h"

namespace slipway::tpu {

/// One request to the API before it has a host, a token or a retry: what --dry-run shows and what a wire test
/// compares.
struct Call {
  std::string method;
  std::string path;                                        ///< "/v2/projects/..", segments percent-encoded
  std::vector<std::pair<std::string, std::string>> query;  ///< not yet encoded
  std::string body;                                        ///< JSON; empty for none
  /// Safe to send again after an answer was lost: GET, and whatever carries a requestId.
  bool idempotent = false;

  /// path?query with everything encoded.
  std::string target() const;
};

/// TPU API v2, projects.locations.queuedResources.create. `request_id` is a UUID that names this one intent.
Call create_call(const QueuedResourceName& name, const CreateSpec& spec, const std::string& request_id);
Call get_call(const QueuedResourceName& name);
Call list_call(const Location& location, int page_size, const std::string& page_token);
Call delete_call(const QueuedResourceName& name, bool force, const std::string& request_id);
Call reset_call(const QueuedResourceName& name);
Call get_node_call(const NodeName& name);
/// All workers of the node: an empty workerId asks for all of them, as gcloud does.
Call guest_attributes_call(const NodeName& name);
/// Replaces the whole metadata map: the API has no finer way (nodes.patch, updateMask=metadata).
Call set_metadata_call(const NodeName& name, const std::map<std::string, std::string>& metadata);
/// `operation` is the full name that a call returned.
Call get_operation_call(const std::string& operation);

}  // namespace slipway::tpu
