// The machines of an ACTIVE resource: restarts, repairs, and slices that go.
#include <algorithm>

#include "emulator/machines.h"
#include "emulator/render.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

// Node.id: does not fit 53 bits, as at Google.
constexpr std::int64_t kFirstNumber = 4'611'686'018'427'387'905;
constexpr std::int64_t kFirstInstance = 5'000'000'000'000'000'000;
constexpr std::int64_t kMostWorkers = 10'000;  // of a slice: their numbers do not overlap
constexpr int kSubnets = 256;

std::string metadata_value(const Slice& slice, std::string_view key) {
  const Json* metadata = find_member(slice.spec, "metadata");
  return metadata == nullptr ? "" : string_member(*metadata, key);
}

bool is_stopping(const Slice& slice) {
  return slice.motion == Motion::kHalting || slice.motion == Motion::kReplaced ||
         slice.motion == Motion::kLeaving;
}

// The next round the circle that no slice has: a repaired slice gets the address of none that was here.
int free_subnet(const Resource& resource) {
  for (int i = 1; i <= kSubnets; ++i) {
    const int subnet = (resource.last_subnet + i) % kSubnets;
    const bool taken = std::any_of(resource.slices.begin(), resource.slices.end(),
                                   [&](const Slice& slice) { return slice.subnet == subnet; });
    if (!taken) return subnet;
  }
  return 0;
}

}  // namespace

bool is_all(const Slice& slice, const WorkerHost& host, WorkerState state) {
  return std::all_of(slice.workers.begin(), slice.workers.end(), [&](const Worker& worker) {
    return (worker.lost && state != WorkerState::kOff) || host.state(worker.address) == state;
  });
}

std::optional<std::string> failure_of(const Slice& slice, const WorkerHost& host) {
  for (const Worker& worker : slice.workers) {
    if (host.state(worker.address) != WorkerState::kFailed) continue;
    return fmt::format("Worker {} of node {} did not start: {}", worker.hostname, slice.id,
                       host.failure(worker.address));
  }
  return std::nullopt;
}

void halt(const Slice& slice, WorkerHost& host) {
  for (const Worker& worker : slice.workers) host.halt(worker.address);
}

void erase(const Slice& slice, WorkerHost& host) {
  for (const Worker& worker : slice.workers) host.erase(worker.address);
}

// A slice that came back early would talk to peers of the time before: none boots while another one stops.
void World::tend_slices(Resource& resource, WorkerHost& host) {
  go_on_with_departures(resource, host);
  begin_due_repairs(resource);
  bool all_off = true;
  for (Slice& slice : resource.slices) {
    if (is_stopping(slice)) halt(slice, host);
    for (const Worker& worker : slice.workers) {
      if (worker.lost) host.halt(worker.address);
    }
    all_off = all_off && (!is_stopping(slice) || is_all(slice, host, WorkerState::kOff));
  }
  if (!all_off) return;
  boot_halted(resource, host);
  settle_booted(resource, host);
}

void World::begin_due_repairs(Resource& resource) {
  for (Slice& slice : resource.slices) {
    if (!slice.repair_due || clock_.now() < *slice.repair_due) continue;
    slice.repair_due.reset();
    slice.state = SliceState::kRepairing;
    slice.motion = Motion::kReplaced;
    resource.due = clock_.now() + phase();
  }
}

void World::boot_halted(Resource& resource, WorkerHost& host) {
  auto& slices = resource.slices;
  for (Slice& slice : slices) {
    if (slice.motion == Motion::kReplaced || slice.motion == Motion::kLeaving) erase(slice, host);
    if (slice.motion == Motion::kLeaving)
      end_operation(slice.delete_operation, Json{{"@type", "type.googleapis.com/google.protobuf.Empty"}});
    if (slice.motion == Motion::kReplaced) {
      give_machines(resource, slice);
      slice.repaired = true;
    }
    if (slice.motion == Motion::kReplaced || slice.motion == Motion::kHalting) boot(slice, host);
  }
  slices.erase(std::remove_if(slices.begin(), slices.end(),
                              [](const Slice& slice) { return slice.motion == Motion::kLeaving; }),
               slices.end());
}

void World::settle_booted(Resource& resource, WorkerHost& host) {
  bool all_up = clock_.now() >= resource.due;
  for (Slice& slice : resource.slices) {
    if (slice.motion != Motion::kBooting) continue;
    if (const auto failure = failure_of(slice, host)) {
      fail_operation(resource.reset_operation, {Status::kInternal, *failure});
      slice.motion = Motion::kNone;
    }
    all_up = all_up && is_all(slice, host, WorkerState::kUp);
  }
  if (!all_up) return;
  bool any_repaired = false;
  for (Slice& slice : resource.slices) {
    if (slice.motion != Motion::kBooting) continue;
    slice.motion = Motion::kNone;
    slice.state = SliceState::kReady;
    slice.in_maintenance = false;
    any_repaired = any_repaired || slice.repaired;
  }
  if (any_repaired) restart_others(resource);
  const bool at_rest = std::all_of(resource.slices.begin(), resource.slices.end(), [](const Slice& slice) {
    return slice.motion == Motion::kNone && slice.state != SliceState::kRepairing;
  });
  if (at_rest) end_operations_at_rest(resource);
}

// "When one slice is repaired, all other slices are restarted": their old connections lead nowhere.
void World::restart_others(Resource& resource) {
  for (Slice& slice : resource.slices) {
    const bool is_other = !slice.repaired && slice.state == SliceState::kReady;
    slice.repaired = false;
    if (!is_other) continue;
    slice.state = SliceState::kRestarting;
    slice.motion = Motion::kHalting;
    resource.due = clock_.now() + phase();
  }
}

void World::end_operations_at_rest(Resource& resource) {
  for (std::string* operation : {&resource.reset_operation, &resource.maintenance_operation}) {
    if (operation->empty()) continue;
    end_operation(
        *operation,
        as_response("QueuedResource", render_resource(*this, resource, resource.version), resource.version));
  }
}

void World::give_machines(Resource& resource, Slice& slice) {
  // The time makes it unlike those of an emulator that ran before: clients know machines by this number.
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.wall_now().time_since_epoch());
  last_number_ = std::max<std::int64_t>(last_number_ + 1, now.count());
  slice.number = kFirstNumber + last_number_;
  slice.created = clock_.wall_now();
  slice.subnet = resource.last_subnet = free_subnet(resource);
  slice.workers.clear();
  slice.departure.reset();
  for (int w = 0; w < resource.accelerator.workers; ++w) {
    slice.workers.push_back({fmt::format("127.{}.{}.{}", resource.address_group, slice.subnet, w + 1),
                             fmt::format("t1v-n-{:08x}-w-{}", slice.number & 0xffffffff, w),
                             kFirstInstance + last_number_ * kMostWorkers + w});
  }
}

void World::boot(Slice& slice, WorkerHost& host) const {
  slice.motion = Motion::kBooting;
  slice.os_login_keys = os_login_version_;
  const std::vector<SshKey> keys = keys_of(slice);
  const std::string script = metadata_value(slice, "startup-script");
  for (const Worker& worker : slice.workers) {
    if (!worker.lost) host.boot({worker.address, worker.hostname, keys, script});
  }
}

void World::set_os_login_keys(std::vector<SshKey> keys, std::size_t version) {
  os_login_keys_ = std::move(keys);
  os_login_version_ = version;
}

std::vector<SshKey> World::keys_of(const Slice& slice) const {
  if (to_lower(metadata_value(slice, "enable-oslogin")) == "true") return os_login_keys_;
  return parse_ssh_keys(metadata_value(slice, "ssh-keys"), clock_.wall_now());
}

void World::pass_on_keys(Resource& resource, WorkerHost& host) {
  for (Slice& slice : resource.slices) {
    const bool all_know = slice.os_login_keys == os_login_version_;
    if (!slice.patch_operation && all_know) continue;
    slice.os_login_keys = os_login_version_;
    const std::vector<SshKey> keys = keys_of(slice);
    for (const Worker& worker : slice.workers) host.set_keys(worker.address, keys);
    if (!slice.patch_operation) continue;
    const ApiVersion version = operations_.at(*slice.patch_operation).version;
    end_operation(*slice.patch_operation,
                  as_response("Node", render_node(*this, resource, slice, version), version));
    slice.patch_operation.reset();
  }
}

}  // namespace slipway::emulator
