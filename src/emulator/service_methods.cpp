// The methods of the API, in the order of Service's declaration. All run under Service's mutex.
#include <algorithm>

#include "emulator/render.h"
#include "emulator/service.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr std::size_t kLongestRequestId = 128;

std::optional<ApiError> check_request_id(const ApiRequest& request) {
  const std::string id = query_value(request, "requestId");
  if (id.size() <= kLongestRequestId) return std::nullopt;
  return bad_field("requestId", fmt::format("requestId is longer than {}", kLongestRequestId));
}

// A body that has to be {} or absent.
std::optional<ApiError> check_empty(const ApiRequest& request, ApiVersion version) {
  Json body;
  if (auto error = read_body(request, body)) return error;
  Json ignored;
  return read_message(body, empty_message(), version, "", ignored);
}

std::optional<ApiError> select_workers(const Slice& slice, const Json& asked, std::vector<Worker>& out) {
  const Json* ids = find_member(asked, "workerIds");
  // gcloud asks for [""] and means all.
  if (ids == nullptr || ids->empty() || (ids->size() == 1 && (*ids)[0] == "")) {
    out = slice.workers;
    return std::nullopt;
  }
  for (const Json& id : *ids) {
    const auto& text = id.get_ref<const std::string&>();
    const bool number =
        !text.empty() && text.size() < 5 && text.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t index = number ? std::stoul(text) : slice.workers.size();
    if (index >= slice.workers.size())
      return bad_field("workerIds", fmt::format("Node {} has no worker '{}'", slice.id, text));
    out.push_back(slice.workers[index]);
  }
  return std::nullopt;
}

Json attribute(const char* space, const char* key, const std::string& value) {
  return Json{{"namespace", space}, {"key", key}, {"value", value}};
}

}  // namespace

Answer Service::create(const ApiRequest& request, const Route& route) {
  if (const auto error = check_request_id(request)) return error->answer();
  if (auto answer = answered_before(request)) return *answer;
  CreateRequest create;
  if (const auto error = read_create(request, route.version, world_.location_name(), create))
    return error->answer();
  return operation_answer(request, world_.create(create, route.version));
}

Answer Service::get(const ApiRequest&, const Route& route) {
  const Resource* resource = world_.find(route.id);
  if (resource == nullptr)
    return no_such(fmt::format("{}/queuedResources/{}", world_.location_name(), route.id)).answer();
  return {200, render_resource(world_, *resource, route.version)};
}

Answer Service::list(const ApiRequest& request, const Route& route) {
  std::vector<Json> items;
  for (const Resource& resource : world_.resources())
    items.push_back(render_resource(world_, resource, route.version));
  return list_answer(request, "queuedResources", items);
}

Answer Service::remove(const ApiRequest& request, const Route& route) {
  if (const auto error = check_request_id(request)) return error->answer();
  if (auto answer = answered_before(request)) return *answer;
  if (!request.body.empty()) {
    if (const auto error = check_empty(request, route.version)) return error->answer();
  }
  bool force = false;
  if (const auto error = read_flag(request, "force", force)) return error->answer();
  return operation_answer(request, world_.remove(route.id, force, route.version));
}

Answer Service::reset(const ApiRequest& request, const Route& route) {
  if (const auto error = check_empty(request, route.version)) return error->answer();
  return operation_answer(request, world_.reset(route.id, route.version));
}

Answer Service::get_node(const ApiRequest&, const Route& route) {
  const auto [resource, slice] = world_.find_node(route.id);
  if (slice == nullptr) return no_such(fmt::format("{}/nodes/{}", world_.location_name(), route.id)).answer();
  return {200, render_node(world_, *resource, *slice, route.version)};
}

Answer Service::list_nodes(const ApiRequest& request, const Route& route) {
  std::vector<Json> items;
  for (const Resource& resource : world_.resources()) {
    for (const Slice& slice : resource.slices)
      items.push_back(render_node(world_, resource, slice, route.version));
  }
  return list_answer(request, "nodes", items);
}

Answer Service::patch_node(const ApiRequest& request, const Route& route) {
  const std::string mask = query_value(request, "updateMask");
  if (mask != "metadata")
    return bad_field("updateMask", fmt::format("updateMask '{}' is not supported: only metadata is", mask))
        .answer();
  Json body;
  if (const auto error = read_body(request, body)) return error->answer();
  Json node;
  if (const auto error = read_message(body, node_message(), route.version, "", node)) return error->answer();
  return operation_answer(
      request, world_.set_metadata(route.id, node.value("metadata", Json::object()), route.version));
}

Answer Service::guest_attributes(const ApiRequest& request, const Route& route) {
  Json body;
  if (const auto error = read_body(request, body)) return error->answer();
  Json asked;
  if (const auto error = read_message(body, guest_attributes_request(), route.version, "", asked))
    return error->answer();
  const Slice* slice = world_.find_node(route.id).second;
  if (slice == nullptr) return no_such(fmt::format("{}/nodes/{}", world_.location_name(), route.id)).answer();
  std::vector<Worker> workers;
  if (const auto error = select_workers(*slice, asked, workers)) return error->answer();

  Json all = Json::array();
  for (const Worker& worker : workers) {
    Json items = Json::array();
    const auto key = host_keys_.find(worker.address);
    if (key != host_keys_.end() && !key->second.empty())
      items.push_back(attribute("hostkeys", "ssh-ed25519", key->second));
    items.push_back(attribute("guest-inventory", "hostname", worker.hostname));
    all.push_back(Json{{"queryPath", string_member(asked, "queryPath")},
                       {"queryValue", Json{{"items", std::move(items)}}}});
  }
  return {200, Json{{"guestAttributes", std::move(all)}}};
}

Answer Service::get_operation(const ApiRequest&, const Route& route) {
  const std::string name = fmt::format("{}/operations/{}", world_.location_name(), route.id);
  const auto found = world_.operations().find(name);
  if (found == world_.operations().end()) return no_such(name).answer();
  return {200, render_operation(found->second)};
}

Answer Service::list_operations(const ApiRequest& request, const Route&) {
  std::vector<Json> items;
  for (const auto& [name, operation] : world_.operations()) items.push_back(render_operation(operation));
  return list_answer(request, "operations", items);
}

Answer Service::get_accelerator(const ApiRequest&, const Route& route) {
  const auto found = find_accelerator(route.id);
  if (!found)
    return no_such(fmt::format("{}/acceleratorTypes/{}", world_.location_name(), route.id)).answer();
  return {200, render_accelerator(world_, *found)};
}

Answer Service::list_accelerators(const ApiRequest& request, const Route&) {
  std::vector<Json> items;
  for (const Accelerator& one : accelerator_catalog()) items.push_back(render_accelerator(world_, one));
  return list_answer(request, "acceleratorTypes", items);
}

Answer Service::get_runtime(const ApiRequest&, const Route& route) {
  const auto& all = runtime_versions();
  if (std::find(all.begin(), all.end(), route.id) == all.end()) {
    return no_such(fmt::format("{}/runtimeVersions/{}", world_.location_name(), route.id)).answer();
  }
  return {200, render_runtime(world_, route.id)};
}

Answer Service::list_runtimes(const ApiRequest& request, const Route&) {
  std::vector<Json> items;
  for (const std::string& one : runtime_versions()) items.push_back(render_runtime(world_, one));
  return list_answer(request, "runtimeVersions", items);
}

Answer Service::get_location(const ApiRequest&, const Route&) { return {200, render_location(world_)}; }

Answer Service::list_locations(const ApiRequest& request, const Route&) {
  return list_answer(request, "locations", {render_location(world_)});
}

}  // namespace slipway::emulator
