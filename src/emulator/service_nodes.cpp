// The methods of nodes. All run under Service's mutex.
#include <algorithm>
#include <set>

#include "emulator/render.h"
#include "emulator/service.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

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

/// The fields that a patch may name (nodes.patch of both versions).
const std::set<std::string>& patchable() {
  static const std::set<std::string> all = {"description", "tags", "labels", "metadata", "dataDisks"};
  return all;
}

// What the mask names; null for a field that the body leaves out, which is cleared.
std::optional<ApiError> read_changes(const std::string& mask, const Json& node, Json& changes) {
  for (const std::string& word : split(mask, ',')) {
    const std::string path = camel_case(word);
    if (path == "networkConfig.enableExternalIps") {
      const Json* enabled = find_path(node, {"networkConfig", "enableExternalIps"});
      changes["networkConfig"]["enableExternalIps"] = enabled == nullptr ? Json(false) : *enabled;
    } else if (patchable().count(path) > 0) {
      changes[path] = node.contains(path) ? node[path] : Json(nullptr);
    } else {
      return bad_field("updateMask",
                       fmt::format("updateMask '{}' names a field that cannot be changed", word));
    }
  }
  return std::nullopt;
}

}  // namespace

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
  return over_zones(list_answer(request, "nodes", items), route);
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

Answer Service::patch_node(const ApiRequest& request, const Route& route) {
  const std::string mask = query_value(request, "updateMask");
  if (mask.empty()) return bad_field("updateMask", "updateMask is required").answer();
  Json body;
  if (const auto error = read_body(request, body)) return error->answer();
  Json node;
  if (const auto error = read_message(body, node_message(), route.version, "", node)) return error->answer();
  Json changes = Json::object();
  if (const auto error = read_changes(mask, node, changes)) return error->answer();
  return operation_answer(request, world_.patch_node(route.id, changes, route.version));
}

Answer Service::remove_node(const ApiRequest& request, const Route& route) {
  return operation_answer(request, world_.remove_node(route.id, route.version));
}

Answer Service::maintain_node(const ApiRequest& request, const Route& route) {
  Json body;
  if (const auto error = read_body(request, body)) return error->answer();
  return maintain_slice(request, route, body, empty_message());
}

Answer Service::simulate_maintenance(const ApiRequest& request, const Route& route) {
  Json body;
  if (const auto error = read_body(request, body)) return error->answer();
  return maintain_slice(request, route, body, simulated_maintenance_request());
}

Answer Service::maintain_slice(const ApiRequest& request, const Route& route, const Json& body,
                               const Message& message) {
  Json asked;
  if (const auto error = read_message(body, message, route.version, "", asked)) return error->answer();
  const auto [resource, slice] = world_.find_node(route.id);
  if (slice == nullptr) return no_such(fmt::format("{}/nodes/{}", world_.location_name(), route.id)).answer();
  std::vector<Worker> chosen;
  if (const auto error = select_workers(*slice, asked, chosen)) return error->answer();
  Incident incident;
  incident.kind = Incident::Kind::kMaintain;
  incident.slices = {static_cast<std::size_t>(slice - resource->slices.data())};
  for (std::size_t w = 0; w < slice->workers.size(); ++w) {
    const bool is_chosen = std::any_of(chosen.begin(), chosen.end(), [&](const Worker& worker) {
      return worker.address == slice->workers[w].address;
    });
    if (is_chosen) incident.workers.push_back(w);
  }
  return operation_answer(request, world_.maintain(resource->id, incident, route.version));
}

}  // namespace slipway::emulator
