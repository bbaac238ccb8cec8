#include "emulator/render.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr int kTpuPort = 8470;

// One entry a slice as soon as the slices exist, and from then on; before, the one entry of the request.
Json node_specs(const World& world, const Resource& resource) {
  if (!resource.expanded) return resource.body["tpu"]["nodeSpec"];
  Json specs = Json::array();
  for (const std::string& id : resource.node_ids) {
    specs.push_back(Json{{"parent", world.location_name()},
                         {"nodeId", id},
                         {"node", resource.body["tpu"]["nodeSpec"][0]["node"]}});
  }
  return specs;
}

void name_slices_block(Json& specs, ApiVersion version) {
  if (version != ApiVersion::kV2Alpha1) return;
  for (Json& spec : specs) {
    if (!spec.contains("multisliceParams")) continue;
    spec["multiNodeParams"] = spec["multisliceParams"];
    spec.erase("multisliceParams");
  }
}

const char* data_name(ResourceState state) {
  switch (state) {
    case ResourceState::kCreating:
      return "creatingData";
    case ResourceState::kAccepted:
      return "acceptedData";
    case ResourceState::kWaiting:
      return nullptr;
    case ResourceState::kProvisioning:
      return "provisioningData";
    case ResourceState::kActive:
      return "activeData";
    case ResourceState::kFailed:
      return "failedData";
    case ResourceState::kSuspending:
      return "suspendingData";
    case ResourceState::kSuspended:
      return "suspendedData";
    case ResourceState::kDeleting:
      return "deletingData";
  }
  return nullptr;
}

Json render_state(const Resource& resource) {
  Json state{{"state", std::string(to_string(resource.state))},
             {"stateInitiator", resource.by_user ? "USER" : "SERVICE"}};
  if (const char* data = data_name(resource.state)) {
    state[data] =
        resource.state == ResourceState::kFailed ? Json{{"error", resource.failure}} : Json::object();
  }
  return state;
}

/// The networks that a slice is in, one card of each worker for each.
std::vector<Json> cards_of(const Json& node) {
  const Json* several = find_path(node, {"networkConfigs"});
  if (several != nullptr && !several->empty()) return several->get<std::vector<Json>>();
  const Json* one = find_path(node, {"networkConfig"});
  return {one == nullptr ? Json::object() : *one};
}

bool has_external_ip(const Json& card) {
  const Json* enabled = find_path(card, {"enableExternalIps"});
  return enabled != nullptr && enabled->get<bool>();
}

/// Worker by worker, and each worker's cards side by side: the first one is where its ssh server is, and on
/// the others nobody listens.
Json render_endpoints(const Slice& slice) {
  const std::vector<Json> cards = cards_of(slice.spec);
  Json endpoints = Json::array();
  for (std::size_t w = 0; w < slice.workers.size(); ++w) {
    for (std::size_t i = 0; i < cards.size(); ++i) {
      const std::string address = i == 0 ? slice.workers[w].address : fmt::format("127.255.{}.{}", i, w + 1);
      Json endpoint{{"ipAddress", address}, {"port", kTpuPort}};
      if (has_external_ip(cards[i])) endpoint["accessConfig"] = Json{{"externalIp", address}};
      endpoints.push_back(std::move(endpoint));
    }
  }
  return endpoints;
}

void fill_accelerator(Json& node, const Accelerator& accelerator) {
  node["acceleratorType"] = accelerator.name;
  node["acceleratorConfig"] = Json{{"type", accelerator.type}, {"topology", accelerator.topology}};
}

void fill_health(Json& node, const Slice& slice) {
  if (slice.state == SliceState::kReady) node["health"] = "HEALTHY";
  if (!slice.in_maintenance) return;
  node["health"] = "UNHEALTHY_MAINTENANCE";
  node["healthDescription"] = "The machines of this node are under maintenance";
  node["upcomingMaintenance"] =
      Json{{"type", "UNSCHEDULED"}, {"maintenanceStatus", "ONGOING"}, {"canReschedule", false}};
}

}  // namespace

std::string_view to_string(ResourceState state) {
  switch (state) {
    case ResourceState::kCreating:
      return "CREATING";
    case ResourceState::kAccepted:
      return "ACCEPTED";
    case ResourceState::kWaiting:
      return "WAITING_FOR_RESOURCES";
    case ResourceState::kProvisioning:
      return "PROVISIONING";
    case ResourceState::kActive:
      return "ACTIVE";
    case ResourceState::kFailed:
      return "FAILED";
    case ResourceState::kSuspending:
      return "SUSPENDING";
    case ResourceState::kSuspended:
      return "SUSPENDED";
    case ResourceState::kDeleting:
      return "DELETING";
  }
  return "STATE_UNSPECIFIED";
}

std::string_view to_string(SliceState state) {
  switch (state) {
    case SliceState::kCreating:
      return "CREATING";
    case SliceState::kReady:
      return "READY";
    case SliceState::kRestarting:
      return "RESTARTING";
    case SliceState::kRepairing:
      return "REPAIRING";
    case SliceState::kPreempted:
      return "PREEMPTED";
    case SliceState::kDeleting:
      return "DELETING";
  }
  return "STATE_UNSPECIFIED";
}

Json render_resource(const World& world, const Resource& resource, ApiVersion version) {
  Json body = resource.body;
  Json specs = node_specs(world, resource);
  name_slices_block(specs, version);
  body["tpu"]["nodeSpec"] = std::move(specs);
  Json shown{{"name", fmt::format("{}/queuedResources/{}", world.location_name(), resource.id)},
             {"createTime", format_rfc3339(resource.created)}};
  shown.update(shown_in(body, queued_resource_message(), version));
  shown["state"] = render_state(resource);
  return shown;
}

Json render_node(const World& world, const Resource& resource, const Slice& slice, ApiVersion version) {
  Json node{{"name", fmt::format("{}/nodes/{}", world.location_name(), slice.id)}};
  node.update(shown_in(slice.spec, node_message(), version));
  fill_accelerator(node, resource.accelerator);
  node["state"] = std::string(to_string(slice.state));
  fill_health(node, slice);
  node["createTime"] = format_rfc3339(slice.created);
  node["id"] = std::to_string(slice.number);
  node["apiVersion"] = resource.version == ApiVersion::kV2Alpha1 ? "V2_ALPHA1" : "V2";
  node["networkEndpoints"] = render_endpoints(slice);
  node["queuedResource"] = fmt::format("{}/queuedResources/{}", world.location_name(), resource.id);
  if (resource.multislice) node["multisliceNode"] = true;
  return node;
}

Json render_operation(const Operation& operation) {
  Json metadata{{"@type", "type.googleapis.com/google.cloud.common.OperationMetadata"},
                {"createTime", format_rfc3339(operation.created)}};
  if (operation.done) metadata["endTime"] = format_rfc3339(operation.ended);
  metadata["target"] = operation.target;
  metadata["verb"] = operation.verb;
  metadata["cancelRequested"] = operation.cancel_requested;
  metadata["apiVersion"] = std::string(to_string(operation.version));
  Json body{{"name", operation.name}, {"metadata", std::move(metadata)}, {"done", operation.done}};
  if (operation.done) {
    const bool failed = !operation.error.is_null();
    body[failed ? "error" : "response"] = failed ? operation.error : operation.response;
  }
  return body;
}

Json render_accelerator(const World& world, const Accelerator& accelerator) {
  const Json config{{"type", accelerator.type}, {"topology", accelerator.topology}};
  return Json{{"name", fmt::format("{}/acceleratorTypes/{}", world.location_name(), accelerator.name)},
              {"type", accelerator.name},
              {"acceleratorConfigs", Json::array({config})}};
}

Json render_runtime(const World& world, const std::string& runtime) {
  return Json{{"name", fmt::format("{}/runtimeVersions/{}", world.location_name(), runtime)},
              {"version", runtime}};
}

Json render_location(const World& world) {
  return Json{{"name", world.location_name()},
              {"locationId", world.options().zone},
              {"labels", Json{{"cloud.googleapis.com/region", world.options().zone}}}};
}

Json as_response(const std::string& type, Json message, ApiVersion version) {
  Json response{
      {"@type", fmt::format("type.googleapis.com/google.cloud.tpu.{}.{}", to_string(version), type)}};
  response.update(message);
  return response;
}

}  // namespace slipway::emulator
