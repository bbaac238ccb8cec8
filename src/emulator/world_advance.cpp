// What happens by itself: the states' passage of time, and machines that come and go.
#include <algorithm>

#include "emulator/machines.h"
#include "emulator/render.h"

namespace slipway::emulator {
namespace {

constexpr int kDeadlineExceeded = 4;  // google.rpc.Code

bool all_are(const std::vector<Slice>& slices, const WorkerHost& host, WorkerState state) {
  return std::all_of(slices.begin(), slices.end(),
                     [&](const Slice& slice) { return is_all(slice, host, state); });
}

std::optional<std::string> first_failure(const std::vector<Slice>& slices, const WorkerHost& host) {
  for (const Slice& slice : slices) {
    if (auto failure = failure_of(slice, host)) return failure;
  }
  return std::nullopt;
}

}  // namespace

void World::advance(WorkerHost& host) {
  for (auto resource = resources_.begin(); resource != resources_.end();) {
    while (step(*resource, host)) {
    }
    resource = forget(*resource, host) ? resources_.erase(resource) : std::next(resource);
  }
}

std::optional<Clock::time_point> World::next_due() const {
  std::optional<Clock::time_point> next;
  // What is past is at rest, or waits for others or for machines: not for time.
  const auto consider = [&](Clock::time_point due) {
    if (due > clock_.now() && (!next || due < *next)) next = due;
  };
  for (const Resource& resource : resources_) {
    if (resource.state == ResourceState::kFailed || resource.state == ResourceState::kDeleting) continue;
    consider(resource.due);
    if (resource.limits.run_until) consider(*resource.limits.run_until);
    if (resource.limits.valid_from) consider(*resource.limits.valid_from);
    if (resource.limits.valid_until && resource.slices.empty()) consider(*resource.limits.valid_until);
    for (const Slice& slice : resource.slices) {
      if (slice.repair_due) consider(*slice.repair_due);
      if (slice.departure) consider(slice.departure->due);
    }
  }
  return next;
}

// One transition; true when there may be another at once.
bool World::step(Resource& resource, WorkerHost& host) {
  pass_on_keys(resource, host);
  expire(resource);
  const bool due = clock_.now() >= resource.due;
  switch (resource.state) {
    case ResourceState::kCreating:
      if (!due) return false;
      resource.state = ResourceState::kAccepted;
      resource.by_user = false;
      resource.due += phase();
      end_operation(resource.create_operation,
                    as_response("QueuedResource", render_resource(*this, resource, resource.version),
                                resource.version));
      return true;
    case ResourceState::kAccepted:
      if (!due) return false;
      resource.state = ResourceState::kWaiting;
      resource.due += phase();
      return true;
    case ResourceState::kWaiting:
      if (!due || !is_valid_yet(resource) || !is_next_to_run(resource)) return false;
      provision(resource, host);
      return true;
    case ResourceState::kProvisioning:
      if (due) finish_provisioning(resource, host);
      return false;
    case ResourceState::kActive:
    case ResourceState::kFailed:
      tend_slices(resource, host);
      return false;
    case ResourceState::kSuspending:
      finish_suspension(resource, host);
      return false;
    case ResourceState::kSuspended:
    case ResourceState::kDeleting:
      return false;
  }
  return false;
}

bool World::is_valid_yet(const Resource& resource) const {
  return !resource.limits.valid_from || clock_.now() >= *resource.limits.valid_from;
}

// A request that is not served by its time fails; one that has had its time is suspended.
void World::expire(Resource& resource) {
  const Clock::time_point now = clock_.now();
  const bool waits = resource.state == ResourceState::kAccepted || resource.state == ResourceState::kWaiting;
  if (waits && resource.limits.valid_until && now >= *resource.limits.valid_until) {
    Incident incident;
    incident.code = kDeadlineExceeded;
    incident.message = "The request could not be fulfilled before the end of its valid time";
    fail(resource, incident);
  }
  const bool has_run = resource.limits.run_until && now >= *resource.limits.run_until;
  if (resource.state == ResourceState::kActive && has_run) suspend(resource, false);
}

// First come, first served: a small request does not overtake a large one that waits, or the large one would
// never run. One that is larger than the whole zone can never run and holds up nobody.
bool World::is_next_to_run(const Resource& resource) const {
  if (resource.chips() > options_.capacity) return false;
  for (const Resource& earlier : resources_) {
    if (&earlier == &resource) break;
    if (earlier.state == ResourceState::kWaiting && is_valid_yet(earlier) &&
        earlier.chips() <= options_.capacity)
      return false;
  }
  return chips_in_use() + resource.chips() <= options_.capacity && free_address_group() != 0;
}

void World::provision(Resource& resource, WorkerHost& host) {
  resource.state = ResourceState::kProvisioning;
  resource.due = clock_.now() + phase();
  resource.expanded = true;
  resource.address_group = last_address_group_ = free_address_group();
  for (const std::string& id : resource.node_ids) {
    Slice slice;
    slice.id = id;
    slice.spec = resource.body["tpu"]["nodeSpec"][0]["node"];
    give_machines(resource, slice);
    resource.slices.push_back(std::move(slice));
  }
  for (Slice& slice : resource.slices) boot(slice, host);
}

void World::finish_provisioning(Resource& resource, WorkerHost& host) {
  if (const auto failure = first_failure(resource.slices, host)) {
    Incident incident;
    incident.message = *failure;
    fail(resource, incident);
    tend_slices(resource, host);
    return;
  }
  if (!all_are(resource.slices, host, WorkerState::kUp)) return;
  resource.state = ResourceState::kActive;
  if (resource.limits.longest_run) resource.limits.run_until = clock_.now() + *resource.limits.longest_run;
  for (Slice& slice : resource.slices) {
    slice.state = SliceState::kReady;
    slice.motion = Motion::kNone;
  }
}

void World::finish_suspension(Resource& resource, WorkerHost& host) {
  tend_slices(resource, host);
  if (clock_.now() < resource.due || !resource.slices.empty()) return;
  resource.state = ResourceState::kSuspended;
}

// Halts what is being deleted; true when nothing of it is left.
bool World::forget(Resource& resource, WorkerHost& host) {
  if (resource.state != ResourceState::kDeleting) return false;
  for (const Slice& slice : resource.slices) halt(slice, host);
  if (!all_are(resource.slices, host, WorkerState::kOff)) return false;
  for (const Slice& slice : resource.slices) erase(slice, host);
  end_operation(resource.delete_operation, Json{{"@type", "type.googleapis.com/google.protobuf.Empty"}});
  return true;
}

}  // namespace slipway::emulator
