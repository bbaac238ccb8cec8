// What happens by itself: the states' passage of time, and machines that come and go.
#include <algorithm>

#include "emulator/render.h"
#include "emulator/world.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr std::int64_t kFirstNumber =
    4'611'686'018'427'387'905;  // Node.id: does not fit 53 bits, as at Google

bool all_are(const std::vector<Slice>& slices, const WorkerHost& host, WorkerState state) {
  return std::all_of(slices.begin(), slices.end(), [&](const Slice& slice) {
    return std::all_of(slice.workers.begin(), slice.workers.end(),
                       [&](const Worker& worker) { return host.state(worker.address) == state; });
  });
}

std::optional<std::string> first_failure(const std::vector<Slice>& slices, const WorkerHost& host) {
  for (const Slice& slice : slices) {
    for (const Worker& worker : slice.workers) {
      if (host.state(worker.address) != WorkerState::kFailed) continue;
      return fmt::format("Worker {} of node {} did not start: {}", worker.hostname, slice.id,
                         host.failure(worker.address));
    }
  }
  return std::nullopt;
}

std::string metadata_value(const Slice& slice, std::string_view key) {
  const Json* metadata = find_member(slice.spec, "metadata");
  return metadata == nullptr ? "" : string_member(*metadata, key);
}

void halt_all(const std::vector<Slice>& slices, WorkerHost& host) {
  for (const Slice& slice : slices) {
    for (const Worker& worker : slice.workers) host.halt(worker.address);
  }
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
  for (const Resource& resource : resources_) {
    if (resource.state == ResourceState::kFailed || resource.state == ResourceState::kDeleting) continue;
    if (resource.due <= clock_.now())
      continue;  // at rest, or it waits for others or for machines: not for time
    if (!next || resource.due < *next) next = resource.due;
  }
  return next;
}

// One transition; true when there may be another at once.
bool World::step(Resource& resource, WorkerHost& host) {
  pass_on_keys(resource, host);
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
      if (!due || !is_next_to_run(resource)) return false;
      provision(resource, host);
      return true;
    case ResourceState::kProvisioning:
      if (due) finish_provisioning(resource, host);
      return false;
    case ResourceState::kActive:
      restart(resource, host);
      return false;
    case ResourceState::kFailed:
    case ResourceState::kDeleting:
      return false;
  }
  return false;
}

// First come, first served: a small request does not overtake a large one that waits, or the large one would
// never run. One that is larger than the whole zone can never run and holds up nobody.
bool World::is_next_to_run(const Resource& resource) const {
  for (const Resource& earlier : resources_) {
    if (&earlier == &resource) break;
    if (earlier.state == ResourceState::kWaiting && earlier.chips() <= options_.capacity) return false;
  }
  return chips_in_use() + resource.chips() <= options_.capacity;
}

void World::provision(Resource& resource, WorkerHost& host) {
  resource.state = ResourceState::kProvisioning;
  resource.due = clock_.now() + phase();
  make_slices(resource);
  for (const Slice& slice : resource.slices) boot(slice, host);
}

void World::make_slices(Resource& resource) {
  for (std::size_t n = 0; n < resource.node_ids.size(); ++n) {
    Slice slice;
    slice.id = resource.node_ids[n];
    slice.number = kFirstNumber + ++last_number_;
    slice.spec = resource.body["tpu"]["nodeSpec"][0]["node"];
    slice.created = clock_.wall_now();
    for (int w = 0; w < resource.accelerator.workers; ++w) {
      slice.workers.push_back({fmt::format("127.{}.{}.{}", resource.address_group, n, w + 1),
                               fmt::format("t1v-n-{:08x}-w-{}", slice.number & 0xffffffff, w)});
    }
    resource.slices.push_back(std::move(slice));
  }
}

void World::finish_provisioning(Resource& resource, WorkerHost& host) {
  if (const auto failure = first_failure(resource.slices, host)) {
    halt_all(resource.slices, host);
    resource.state = ResourceState::kFailed;
    resource.failure = ApiError{Status::kInternal, *failure}.rpc_status();
    return;
  }
  if (!all_are(resource.slices, host, WorkerState::kUp)) return;
  resource.state = ResourceState::kActive;
  for (Slice& slice : resource.slices) slice.state = SliceState::kReady;
}

// A reset stops all slices, then boots all: a slice that came back early would talk to peers of the time
// before.
void World::restart(Resource& resource, WorkerHost& host) {
  if (resource.reset_operation.empty()) return;
  if (resource.slices.front().halting) {
    halt_all(resource.slices, host);
    if (!all_are(resource.slices, host, WorkerState::kOff)) return;
    for (Slice& slice : resource.slices) {
      slice.halting = false;
      boot(slice, host);
    }
  }
  if (const auto failure = first_failure(resource.slices, host)) {
    fail_operation(resource.reset_operation, {Status::kInternal, *failure});
    return;
  }
  if (clock_.now() < resource.due || !all_are(resource.slices, host, WorkerState::kUp)) return;
  for (Slice& slice : resource.slices) slice.state = SliceState::kReady;
  end_operation(
      resource.reset_operation,
      as_response("QueuedResource", render_resource(*this, resource, resource.version), resource.version));
}

void World::boot(const Slice& slice, WorkerHost& host) const {
  const std::vector<SshKey> keys = parse_ssh_keys(metadata_value(slice, "ssh-keys"), clock_.wall_now());
  const std::string script = metadata_value(slice, "startup-script");
  for (const Worker& worker : slice.workers) host.boot({worker.address, worker.hostname, keys, script});
}

void World::pass_on_keys(Resource& resource, WorkerHost& host) {
  for (Slice& slice : resource.slices) {
    if (!slice.patch_operation) continue;
    const std::vector<SshKey> keys = parse_ssh_keys(metadata_value(slice, "ssh-keys"), clock_.wall_now());
    for (const Worker& worker : slice.workers) host.set_keys(worker.address, keys);
    const ApiVersion version = operations_.at(*slice.patch_operation).version;
    end_operation(*slice.patch_operation,
                  as_response("Node", render_node(*this, resource, slice, version), version));
    slice.patch_operation.reset();
  }
}

// Halts what is being deleted; true when nothing of it is left.
bool World::forget(Resource& resource, WorkerHost& host) {
  if (resource.state != ResourceState::kDeleting) return false;
  halt_all(resource.slices, host);
  if (!all_are(resource.slices, host, WorkerState::kOff)) return false;
  for (const Slice& slice : resource.slices) {
    for (const Worker& worker : slice.workers) host.erase(worker.address);
  }
  end_operation(resource.delete_operation, Json{{"@type", "type.googleapis.com/google.protobuf.Empty"}});
  return true;
}

}  // namespace slipway::emulator
