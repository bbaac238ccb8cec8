#include "emulator/world.h"

#include <algorithm>

#include "emulator/render.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr int kAddressGroups = 254;

// CREATING and PROVISIONING cannot be left half-way, and what is ACTIVE holds machines: only force ends
// these.
bool ends_without_force(ResourceState state) {
  return state == ResourceState::kAccepted || state == ResourceState::kWaiting ||
         state == ResourceState::kFailed || state == ResourceState::kSuspended;
}

}  // namespace

std::string World::location_name() const {
  return fmt::format("projects/{}/locations/{}", options_.project, options_.zone);
}

const Resource* World::find(const std::string& id) const {
  const auto found =
      std::find_if(resources_.begin(), resources_.end(), [&](const Resource& one) { return one.id == id; });
  return found == resources_.end() ? nullptr : &*found;
}

Resource* World::lookup(const std::string& id) {
  const auto found =
      std::find_if(resources_.begin(), resources_.end(), [&](const Resource& one) { return one.id == id; });
  return found == resources_.end() ? nullptr : &*found;
}

std::pair<const Resource*, const Slice*> World::find_node(const std::string& node_id) const {
  for (const Resource& resource : resources_) {
    for (const Slice& slice : resource.slices) {
      if (slice.id == node_id) return {&resource, &slice};
    }
  }
  return {nullptr, nullptr};
}

std::int64_t World::chips_in_use() const {
  std::int64_t chips = 0;
  for (const Resource& resource : resources_) {
    if (!resource.slices.empty()) chips += resource.chips();
  }
  return chips;
}

// The next group round the circle that nobody has: a new resource gets the addresses of one just deleted as
// late as possible. 0 when all are taken.
int World::free_address_group() const {
  for (int i = 1; i <= kAddressGroups; ++i) {
    const int group = (last_address_group_ + i - 1) % kAddressGroups + 1;
    const bool taken = std::any_of(resources_.begin(), resources_.end(),
                                   [&](const Resource& one) { return one.address_group == group; });
    if (!taken) return group;
  }
  return 0;
}

std::optional<Json> World::metadata(const std::string& address, const std::string& token) const {
  const std::string subnet = address.substr(0, address.rfind('.') + 1);
  for (const Resource& resource : resources_) {
    for (const Slice& slice : resource.slices) {
      if (subnet != fmt::format("127.{}.{}.", resource.address_group, slice.subnet)) continue;
      for (std::size_t w = 0; w < slice.workers.size(); ++w) {
        if (slice.workers[w].address == address) return render_metadata(*this, resource, slice, w, token);
      }
    }
  }
  return std::nullopt;
}

World::Outcome<std::string> World::create(const CreateRequest& request, ApiVersion version) {
  const std::string name = fmt::format("{}/queuedResources/{}", location_name(), request.id);
  if (find(request.id) != nullptr)
    return ApiError{Status::kAlreadyExists, fmt::format("Resource '{}' already exists", name)};
  for (const Resource& resource : resources_) {
    for (const std::string& id : request.node_ids) {
      if (std::find(resource.node_ids.begin(), resource.node_ids.end(), id) == resource.node_ids.end())
        continue;
      return ApiError{Status::kAlreadyExists,
                      fmt::format("Resource '{}/nodes/{}' already exists", location_name(), id)};
    }
  }

  Resource resource;
  resource.id = request.id;
  resource.version = version;
  resource.body = request.body;
  resource.accelerator = request.accelerator;
  resource.node_ids = request.node_ids;
  resource.multislice = request.multislice;
  resource.by_user = true;
  resource.created = clock_.wall_now();
  resource.due = clock_.now() + phase();
  resource.limits = read_time_limits(request.body, clock_);
  resource.create_operation = begin_operation("create", name, version);
  resources_.push_back(std::move(resource));
  return resources_.back().create_operation;
}

World::Outcome<std::string> World::remove(const std::string& id, bool force, ApiVersion version) {
  const std::string name = fmt::format("{}/queuedResources/{}", location_name(), id);
  Resource* resource = lookup(id);
  if (resource == nullptr) return no_such(name);
  if (resource->state == ResourceState::kDeleting) {
    return ApiError{Status::kFailedPrecondition, fmt::format("Resource '{}' is being deleted already", name)};
  }
  const bool holds_nothing = resource->state == ResourceState::kActive && resource->slices.empty();
  if (!force && !holds_nothing && !ends_without_force(resource->state)) {
    return ApiError{Status::kFailedPrecondition,
                    fmt::format("Resource '{}' is {} and cannot be deleted without force", name,
                                to_string(resource->state))};
  }
  const ApiError aborted{Status::kAborted, fmt::format("Resource '{}' was deleted", name)};
  fail_operation(resource->create_operation, aborted);
  fail_operation(resource->reset_operation, aborted);
  fail_operation(resource->maintenance_operation, aborted);
  for (Slice& slice : resource->slices) {
    slice.state = SliceState::kDeleting;
    fail_operation(slice.delete_operation, aborted);
    abort_patch(slice, aborted.rpc_status());
  }
  resource->state = ResourceState::kDeleting;
  resource->by_user = true;
  resource->due = clock_.now();
  resource->delete_operation = begin_operation("delete", name, version);
  return resource->delete_operation;
}

World::Outcome<std::string> World::reset(const std::string& id, ApiVersion version) {
  const std::string name = fmt::format("{}/queuedResources/{}", location_name(), id);
  Resource* resource = lookup(id);
  if (resource == nullptr) return no_such(name);
  if (resource->state != ResourceState::kActive) {
    return ApiError{Status::kFailedPrecondition,
                    fmt::format("Resource '{}' is {}; only an ACTIVE one can be reset", name,
                                to_string(resource->state))};
  }
  if (!resource->reset_operation.empty()) {
    return ApiError{Status::kFailedPrecondition, fmt::format("Resource '{}' is being reset already", name)};
  }
  for (Slice& slice : resource->slices) {
    if (slice.state != SliceState::kReady) continue;  // what was taken away comes back by a repair only
    slice.state = SliceState::kRestarting;
    slice.motion = Motion::kHalting;
  }
  resource->due = clock_.now() + phase();
  resource->reset_operation = begin_operation("reset", name, version);
  return resource->reset_operation;
}

std::string World::begin_operation(const std::string& verb, const std::string& target, ApiVersion version) {
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.wall_now().time_since_epoch()).count();
  Operation operation;
  operation.name =
      fmt::format("{}/operations/operation-{}-{:012x}", location_name(), millis, ++operations_made_);
  operation.verb = verb;
  operation.target = target;
  operation.version = version;
  operation.created = clock_.wall_now();
  operations_[operation.name] = operation;
  return operation.name;
}

std::optional<ApiError> World::forget_operation(const std::string& name) {
  const auto found = operations_.find(name);
  if (found == operations_.end()) return no_such(name);
  if (!found->second.done)
    return ApiError{Status::kFailedPrecondition, fmt::format("Operation '{}' is not done", name)};
  operations_.erase(found);
  return std::nullopt;
}

// The service promises to try, not to succeed; this one only notes the wish.
std::optional<ApiError> World::cancel_operation(const std::string& name) {
  const auto found = operations_.find(name);
  if (found == operations_.end()) return no_such(name);
  found->second.cancel_requested = true;
  return std::nullopt;
}

// Both empty `name`, so that an operation ends once.
void World::end_operation(std::string& name, Json response) {
  if (name.empty()) return;
  Operation& operation = operations_.at(name);
  operation.done = true;
  operation.ended = clock_.wall_now();
  operation.response = std::move(response);
  name.clear();
}

void World::fail_operation(std::string& name, const ApiError& error) {
  fail_operation_with(name, error.rpc_status());
}

void World::fail_operation_with(std::string& name, Json status) {
  if (name.empty()) return;
  Operation& operation = operations_.at(name);
  operation.done = true;
  operation.ended = clock_.wall_now();
  operation.error = std::move(status);
  name.clear();
}

}  // namespace slipway::emulator
