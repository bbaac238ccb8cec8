// Changes to one node, and maintenance.
#include "emulator/world.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

ApiError busy(const std::string& name) {
  return {Status::kAborted, fmt::format("Another operation on '{}' is in progress", name)};
}

}  // namespace

std::pair<Resource*, Slice*> World::lookup_node(const std::string& node_id) {
  for (Resource& resource : resources_) {
    for (Slice& slice : resource.slices) {
      if (slice.id == node_id) return {&resource, &slice};
    }
  }
  return {nullptr, nullptr};
}

World::Outcome<std::string> World::patch_node(const std::string& node_id, const Json& changes,
                                              ApiVersion version) {
  const std::string name = fmt::format("{}/nodes/{}", location_name(), node_id);
  Slice* slice = lookup_node(node_id).second;
  if (slice == nullptr) return no_such(name);
  if (slice->state == SliceState::kDeleting || slice->patch_operation) return busy(name);
  for (const auto& [field, value] : changes.items()) {
    if (value.is_null()) {
      slice->spec.erase(field);
    } else if (field == "networkConfig") {
      slice->spec[field].update(value);  // the one field of it that can be changed
    } else {
      slice->spec[field] = value;
    }
  }
  slice->patch_operation = begin_operation("update", name, version);
  return *slice->patch_operation;
}

World::Outcome<std::string> World::remove_node(const std::string& node_id, ApiVersion version) {
  const std::string name = fmt::format("{}/nodes/{}", location_name(), node_id);
  const auto [resource, slice] = lookup_node(node_id);
  if (slice == nullptr) return no_such(name);
  const bool at_rest = resource->state == ResourceState::kActive || resource->state == ResourceState::kFailed;
  if (!at_rest || slice->motion == Motion::kLeaving) return busy(name);
  abort_patch(*slice, ApiError{Status::kAborted, fmt::format("Node '{}' was deleted", name)}.rpc_status());
  slice->state = SliceState::kDeleting;
  slice->motion = Motion::kLeaving;
  slice->repair_due.reset();
  slice->delete_operation = begin_operation("delete", name, version);
  return slice->delete_operation;
}

World::Outcome<std::string> World::maintain(const std::string& id, const Incident& incident,
                                            ApiVersion version) {
  if (auto error = befall(id, incident)) return *error;
  Resource* resource = lookup(id);
  if (resource->maintenance_operation.empty()) {
    resource->maintenance_operation = begin_operation(
        "performMaintenance", fmt::format("{}/queuedResources/{}", location_name(), id), version);
  }
  return resource->maintenance_operation;
}

}  // namespace slipway::emulator
