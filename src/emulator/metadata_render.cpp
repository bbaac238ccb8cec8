// What a worker's metadata server tells it, from what the world knows of it.
#include "emulator/render.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr const char* kProjectNumber = "123456789012";
constexpr const char* kServiceAccount = "emulator@emulator-project.iam.gserviceaccount.com";
constexpr int kTokenLifetime = 3'600;
constexpr std::size_t kCoordinator = 0;

std::string accelerator_of(const Resource& resource) { return resource.accelerator.name; }

// "unknown:unknown:ADDRESS,..": one entry a worker of the slice, in their order.
std::string endpoints_of(const Slice& slice) {
  std::string text;
  for (const Worker& worker : slice.workers)
    text += (text.empty() ? "" : ",") + fmt::format("unknown:unknown:{}", worker.address);
  return text;
}

// Lines "KEY: 'value'", as YAML. The coordinator of all slices is worker 0 of slice 0, wherever that is now.
std::string tpu_env(const World& world, const Resource& resource, const Slice& slice, std::size_t worker) {
  std::string text;
  const auto add = [&text](const char* key, const std::string& value) {
    text += fmt::format("{}: '{}'\n", key, value);
  };
  add("ACCELERATOR_TYPE", accelerator_of(resource));
  add("CONSUMER_PROJECT_ID", world.options().project);
  add("CONSUMER_PROJECT_NUMBER", kProjectNumber);
  add("NODE_ID", slice.id);
  add("RUNTIME_VERSION", string_member(slice.spec, "runtimeVersion"));
  add("WORKER_ID", std::to_string(worker));
  add("WORKER_NETWORK_ENDPOINTS", endpoints_of(slice));
  add("ZONE", world.options().zone);
  if (!resource.multislice) return text;
  std::size_t index = 0;
  for (std::size_t i = 0; i < resource.node_ids.size(); ++i) {
    if (resource.node_ids[i] == slice.id) index = i;
  }
  std::string coordinator;
  for (const Slice& one : resource.slices) {
    if (one.id == resource.node_ids[kCoordinator]) coordinator = one.workers.front().address;
  }
  add("MEGASCALE_COORDINATOR_ADDRESS", coordinator);
  add("MEGASCALE_NUM_SLICES", std::to_string(resource.node_ids.size()));
  add("MEGASCALE_SLICE_ID", std::to_string(index));
  return text;
}

Json attributes_of(const World& world, const Resource& resource, const Slice& slice, std::size_t worker) {
  Json attributes = slice.spec.value("metadata", Json::object());
  attributes["accelerator-type"] = accelerator_of(resource);
  attributes["agent-worker-number"] = std::to_string(worker);
  attributes["instance-id"] = slice.id;
  attributes["tpu-env"] = tpu_env(world, resource, slice, worker);
  attributes["worker-network-endpoints"] = endpoints_of(slice);
  return attributes;
}

Json service_account(const std::string& token) {
  return Json{
      {"aliases", Json::array({"default"})},
      {"email", kServiceAccount},
      {"scopes", Json::array({"https://www.googleapis.com/auth/cloud-platform"})},
      {"token", Json{{"access_token", token}, {"expires_in", kTokenLifetime}, {"token_type", "Bearer"}}}};
}

}  // namespace

Json render_metadata(const World& world, const Resource& resource, const Slice& slice, std::size_t worker,
                     const std::string& token) {
  const WorldOptions& options = world.options();
  const Worker& machine = slice.workers[worker];
  const Json interface {
    {"ip", machine.address}, { "network", fmt::format("projects/{}/networks/default", kProjectNumber) }
  };
  const bool maintained =
      slice.departure && slice.departure->incident.kind == Incident::Kind::kMaintain && machine.leaving;
  const bool preempted = machine.leaving && !maintained;
  const Json instance{
      {"attributes", attributes_of(world, resource, slice, worker)},
      {"hostname", fmt::format("{}.{}.c.{}.internal", machine.hostname, options.zone, options.project)},
      {"id", machine.id},
      {"maintenance-event", maintained ? "TERMINATE_ON_HOST_MAINTENANCE" : "NONE"},
      {"name", machine.hostname},
      {"network-interfaces", Json{{"0", interface}}},
      {"preempted", preempted ? "TRUE" : "FALSE"},
      {"service-accounts",
       Json{{"default", service_account(token)}, {kServiceAccount, service_account(token)}}},
      {"zone", fmt::format("projects/{}/zones/{}", kProjectNumber, options.zone)}};
  const Json project{{"attributes", Json::object()},
                     {"numeric-project-id", std::stoll(kProjectNumber)},
                     {"project-id", options.project}};
  return Json{{"instance", instance},
              {"project", project},
              {"universe", Json{{"universe-domain", "googleapis.com"}}}};
}

}  // namespace slipway::emulator
