#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "tpu/wire.h"

namespace slipway::tpu::wire {
namespace {

constexpr const char* kStable = "v2";
constexpr const char* kAlpha = "v2alpha1";

Json encode_map(const std::map<std::string, std::string>& entries) {
  Json object = Json::object();
  for (const auto& [key, value] : entries) object[key] = value;
  return object;
}

Json encode_network(const CreateSpec& spec) {
  Json network = {{"network", spec.network}, {"enableExternalIps", !spec.internal_ips}};
  if (!spec.subnetwork.empty()) network["subnetwork"] = spec.subnetwork;
  return network;
}

/// tpu.nodeSpec[].node: what every slice of the request looks like.
Json encode_node(const CreateSpec& spec) {
  Json node = {{"acceleratorType", to_lower(spec.accelerator_type)},
               {"runtimeVersion", spec.runtime_version},
               {"networkConfig", encode_network(spec)},
               {"serviceAccount", Json::object()},
               {"metadata", encode_map(spec.metadata)}};
  if (!spec.description.empty()) node["description"] = spec.description;
  if (!spec.tags.empty()) node["tags"] = spec.tags;
  if (!spec.labels.empty()) node["labels"] = encode_map(spec.labels);
  return node;
}

/// One slice by its name, or many by their number: the two versions name the second block differently.
void encode_count(const CreateSpec& spec, Json& node_spec) {
  if (spec.node_count == 0) {
    node_spec["nodeId"] = spec.node_id;
    return;
  }
  Json many = {{"nodeCount", spec.node_count}};
  if (!spec.node_id_prefix.empty()) many["nodeIdPrefix"] = spec.node_id_prefix;
  node_spec[version_for(spec) == kAlpha ? "multiNodeParams" : "multisliceParams"] = std::move(many);
}

void encode_tier(Tier tier, Json& resource) {
  switch (tier) {
    case Tier::kOnDemand:
      return;
    case Tier::kSpot:
      resource["spot"] = Json::object();
      return;
    case Tier::kGuaranteed:
      resource["guaranteed"] = Json::object();
      return;
    case Tier::kBestEffort:
      resource["bestEffort"] = Json::object();
      return;
  }
}

}  // namespace

std::string version_for(const CreateSpec& spec) { return spec.tier == Tier::kBestEffort ? kAlpha : kStable; }

std::string encode_create(const Location& location, const CreateSpec& spec) {
  Json node_spec = {{"parent", location.path()}};
  encode_count(spec, node_spec);
  node_spec["node"] = encode_node(spec);
  Json resource;
  resource["tpu"]["nodeSpec"] = Json::array({std::move(node_spec)});
  encode_tier(spec.tier, resource);
  if (spec.reserved) resource["reservationName"] = location.path() + "/reservations/-";
  return dump_json(resource);
}

std::string encode_set_metadata(const std::map<std::string, std::string>& metadata) {
  return dump_json(Json{{"metadata", encode_map(metadata)}});
}

std::string encode_guest_attributes_of_all_workers() {
  return dump_json(Json{{"workerIds", Json::array({""})}});
}

}  // namespace slipway::tpu::wire
