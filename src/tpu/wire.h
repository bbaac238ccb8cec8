#pragma once

#include <map>
#include <string>
#include <vector>

#include "slipway/http/transport.h"
#include "slipway/model/create_spec.h"
#include "slipway/model/node.h"
#include "slipway/model/offer.h"
#include "slipway/model/operation.h"
#include "slipway/model/queued_resource.h"
#include "slipway/tpu/call.h"

// The only codec of the TPU API's JSON. Decoding ignores fields that it does not know and takes null for
// missing; a field of another kind than the API's is an error (kFailed) that names its path, so that a wrong
// answer is never taken for an empty one.
namespace slipway::tpu::wire {

/// The body of queuedResources.create, in the words of `version`, with the members that gcloud always sends.
std::string encode_create(const Location& location, const CreateSpec& spec, ApiVersion version);
std::string encode_set_metadata(const std::map<std::string, std::string>& metadata);
std::string encode_guest_attributes_of_all_workers();

struct Page {
  std::vector<QueuedResource> resources;
  std::vector<std::string> unreachable;
  std::string next_page_token;
};

struct NodePage {
  std::vector<Node> nodes;
  std::string next_page_token;
};

struct OfferPage {
  std::vector<Offer> offers;
  std::vector<std::string> unreachable;
  std::string next_page_token;
};

Result<QueuedResource> decode_queued_resource(const http::Response& response);
Result<Page> decode_page(const http::Response& response);
Result<NodePage> decode_node_page(const http::Response& response);
Result<Node> decode_node(const http::Response& response);
Result<OfferPage> decode_accelerator_types(const http::Response& response);
Result<OfferPage> decode_runtime_versions(const http::Response& response);
Result<OfferPage> decode_locations(const http::Response& response);
Result<std::vector<GuestAttributes>> decode_guest_attributes(const http::Response& response);
Result<Operation> decode_operation(const http::Response& response);

}  // namespace slipway::tpu::wire
