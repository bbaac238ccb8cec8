#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/model/create_spec.h"
#include "slipway/model/node.h"
#include "slipway/model/offer.h"
#include "slipway/model/queued_resource.h"

namespace slipway::tpu {

/// The two surfaces of the API. v2alpha1 has all of v2, under one other name (multiNodeParams), and more.
enum class ApiVersion { kV2, kV2Alpha1 };
std::string to_string(ApiVersion version);
std::optional<ApiVersion> parse_api_version(std::string_view text);

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

/// The body of a create and the version whose words it is in.
struct CreateBody {
  ApiVersion version = ApiVersion::kV2;
  std::string json;
};
/// The API's names of what `spec` asks for and v2 does not have, in the order of the API's documents.
std::vector<std::string> alpha_only_fields(const CreateSpec& spec);
/// In the words of `version`; of v2 if that has all of it, else of v2alpha1.
CreateBody create_body(const Location& location, const CreateSpec& spec,
                       std::optional<ApiVersion> version = std::nullopt);
/// A body that somebody wrote, in camelCase or snake_case: checked against the fields of the API and given
/// back in camelCase, for `version` or the one that its fields need. What only the API can set (state,
/// createTime, ..) is left out, and a nodeSpec without `parent` gets one. Errors (kUsage), with the path: a
/// field that is not there, or not in that version; one of the wrong kind; no JSON.
Result<CreateBody> read_create_body(const std::string& text, const Location& location,
                                    std::optional<ApiVersion> version);

/// projects.locations.queuedResources.create. `request_id` is a UUID that names this one intent.
Call create_call(const QueuedResourceName& name, const CreateBody& body, const std::string& request_id);
inline Call create_call(const QueuedResourceName& name, const CreateSpec& spec,
                        const std::string& request_id) {
  return create_call(name, create_body(name.location, spec), request_id);
}
/// What only v2alpha1 has is seen through v2alpha1 only.
Call get_call(const QueuedResourceName& name, ApiVersion version = ApiVersion::kV2);
Call list_call(const Location& location, int page_size, const std::string& page_token,
               ApiVersion version = ApiVersion::kV2);
/// Accelerator types and runtime versions of `location`, or the locations of its project.
Call offers_call(const Location& location, OfferKind kind, int page_size, const std::string& page_token,
                 ApiVersion version);
Call delete_call(const QueuedResourceName& name, bool force, const std::string& request_id);
Call reset_call(const QueuedResourceName& name);
Call list_nodes_call(const Location& location, const std::string& page_token);
Call get_node_call(const NodeName& name);
/// All workers of the node: an empty workerId asks for all of them, as gcloud does.
Call guest_attributes_call(const NodeName& name);
/// Replaces the whole metadata map: the API has no finer way (nodes.patch, updateMask=metadata).
Call set_metadata_call(const NodeName& name, const std::map<std::string, std::string>& metadata);
/// `operation` is the full name that a call returned.
Call get_operation_call(const std::string& operation);

}  // namespace slipway::tpu
