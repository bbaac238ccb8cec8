// What befalls a resource from outside of the API: preemption, repair, failure, suspension, maintenance.
#include <algorithm>

#include "emulator/render.h"
#include "emulator/world.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

bool is_over(ResourceState state) {
  return state == ResourceState::kFailed || state == ResourceState::kSuspending ||
         state == ResourceState::kSuspended || state == ResourceState::kDeleting;
}

// What Google may take back: it does not come again by itself once all of it has gone.
bool is_spot(const Resource& resource) {
  return resource.body.contains("spot") || resource.body.contains("bestEffort") ||
         string_member(resource.body, "provisioningModel") == "SPOT";
}

std::vector<Worker*> chosen_workers(Slice& slice, const std::vector<std::size_t>& asked) {
  std::vector<Worker*> chosen;
  for (std::size_t w = 0; w < slice.workers.size(); ++w) {
    if (asked.empty() || std::find(asked.begin(), asked.end(), w) != asked.end())
      chosen.push_back(&slice.workers[w]);
  }
  return chosen;
}

void take_away(Slice& slice, const std::vector<std::size_t>& workers) {
  for (Worker* worker : chosen_workers(slice, workers)) {
    worker->lost = true;
    worker->leaving = false;
  }
  slice.motion = Motion::kNone;
}

}  // namespace

std::optional<ApiError> World::befall(const std::string& id, const Incident& incident) {
  const std::string name = fmt::format("{}/queuedResources/{}", location_name(), id);
  Resource* resource = lookup(id);
  if (resource == nullptr) return no_such(name);
  const bool needs_machines = incident.kind == Incident::Kind::kPreempt ||
                              incident.kind == Incident::Kind::kRepair ||
                              incident.kind == Incident::Kind::kMaintain;
  if (is_over(resource->state) || (needs_machines && resource->state != ResourceState::kActive)) {
    return ApiError{Status::kFailedPrecondition, fmt::format("Resource '{}' is {}: this cannot befall it", id,
                                                             to_string(resource->state))};
  }
  switch (incident.kind) {
    case Incident::Kind::kPreempt:
    case Incident::Kind::kMaintain:
      incident.notice.count() > 0 ? announce(*resource, incident) : preempt(*resource, incident);
      break;
    case Incident::Kind::kRepair:
      return repair(*resource, incident);
    case Incident::Kind::kFail:
      fail(*resource, incident);
      break;
    case Incident::Kind::kSuspend:
      suspend(*resource, incident.by_user);
      break;
  }
  return std::nullopt;
}

std::vector<Slice*> World::chosen_slices(Resource& resource, const Incident& incident) const {
  std::vector<Slice*> chosen;
  for (std::size_t i = 0; i < resource.slices.size(); ++i) {
    const auto& asked = incident.slices;
    if (asked.empty() || std::find(asked.begin(), asked.end(), i) != asked.end())
      chosen.push_back(&resource.slices[i]);
  }
  return chosen;
}

void World::announce(Resource& resource, const Incident& incident) {
  for (Slice* slice : chosen_slices(resource, incident)) {
    Incident own = incident;
    own.notice = std::chrono::milliseconds(0);
    own.slices = {static_cast<std::size_t>(slice - resource.slices.data())};
    slice->departure = Departure{own, clock_.now() + incident.notice};
    for (Worker* worker : chosen_workers(*slice, incident.workers)) worker->leaving = !worker->lost;
  }
}

void World::go_on_with_departures(Resource& resource, WorkerHost& host) {
  for (std::size_t i = 0; i < resource.slices.size(); ++i) {
    Slice& slice = resource.slices[i];
    if (!slice.departure) continue;
    if (!slice.departure->announced) {
      slice.departure->announced = true;
      for (const Worker& worker : slice.workers) {
        if (worker.leaving) host.warn(worker.address);
      }
    }
    if (clock_.now() < slice.departure->due) continue;
    Incident incident = std::move(slice.departure->incident);
    slice.departure.reset();
    incident.slices = {i};
    preempt(resource, incident);
  }
}

void World::preempt(Resource& resource, const Incident& incident) {
  const bool maintenance = incident.kind == Incident::Kind::kMaintain;
  for (Slice* slice : chosen_slices(resource, incident)) {
    take_away(*slice, incident.workers);
    slice->state = maintenance ? SliceState::kRepairing : SliceState::kPreempted;
    slice->in_maintenance = maintenance;
    slice->repair_due.reset();
    if (incident.repair_after || maintenance)
      slice->repair_due = clock_.now() + incident.repair_after.value_or(
                                             std::chrono::ceil<std::chrono::milliseconds>(phase()));
  }
  const bool all_gone = std::all_of(resource.slices.begin(), resource.slices.end(), [](const Slice& slice) {
    return slice.state == SliceState::kPreempted && !slice.repair_due;
  });
  if (is_spot(resource) && all_gone) suspend(resource, false);
}

// Whatever was taken away, when no slices are named; else these, whatever their state.
std::optional<ApiError> World::repair(Resource& resource, const Incident& incident) {
  bool any = false;
  for (Slice* slice : chosen_slices(resource, incident)) {
    const bool broken = slice->state == SliceState::kPreempted || slice->state == SliceState::kRepairing;
    if ((incident.slices.empty() && !broken) || slice->motion == Motion::kReplaced) continue;
    slice->state = SliceState::kRepairing;
    slice->repair_due = clock_.now() + incident.repair_after.value_or(std::chrono::milliseconds(0));
    any = true;
  }
  if (any) return std::nullopt;
  return ApiError{Status::kFailedPrecondition,
                  fmt::format("Resource '{}' has no slice to repair", resource.id)};
}

void World::abort_patch(Slice& slice, const Json& status) {
  if (!slice.patch_operation) return;
  fail_operation_with(*slice.patch_operation, status);
  slice.patch_operation.reset();
}

void World::fail(Resource& resource, const Incident& incident) {
  const Json error{{"code", incident.code}, {"message", incident.message}};
  fail_operation_with(resource.create_operation, error);
  fail_operation_with(resource.reset_operation, error);
  fail_operation_with(resource.maintenance_operation, error);
  for (Slice* slice : chosen_slices(resource, incident)) {
    abort_patch(*slice, error);
    slice->state = SliceState::kDeleting;
    slice->motion = Motion::kLeaving;
  }
  resource.state = ResourceState::kFailed;
  resource.by_user = false;
  resource.failure = error;
}

void World::suspend(Resource& resource, bool by_user) {
  const ApiError aborted{Status::kAborted, fmt::format("Resource '{}' was suspended", resource.id)};
  fail_operation(resource.create_operation, aborted);
  fail_operation(resource.reset_operation, aborted);
  fail_operation(resource.maintenance_operation, aborted);
  for (Slice& slice : resource.slices) {
    abort_patch(slice, aborted.rpc_status());
    slice.state = SliceState::kDeleting;
    slice.motion = Motion::kLeaving;
  }
  resource.state = ResourceState::kSuspending;
  resource.by_user = by_user;
  resource.due = clock_.now() + phase();
}

}  // namespace slipway::emulator
