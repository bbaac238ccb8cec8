// The methods of the API, in the order of Service's declaration. All run under Service's mutex.
#include <regex>
#include <set>

#include "emulator/render.h"
#include "emulator/service.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

// "Idempotent request UUID", says the description of both versions. Google's convention for the field
// (AIP-155) takes any UUID but that of zeros.
std::optional<ApiError> check_request_id(const ApiRequest& request) {
  const std::string id = query_value(request, "requestId");
  if (id.empty()) return std::nullopt;
  static const std::regex kUuid("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  if (std::regex_match(id, kUuid) && id.find_first_not_of("0-") != std::string::npos) return std::nullopt;
  return bad_field("requestId", "requestId has to be a UUID, and not that of zeros");
}

// A body that has to be {} or absent.
std::optional<ApiError> check_empty(const ApiRequest& request, ApiVersion version) {
  Json body;
  if (auto error = read_body(request, body)) return error;
  Json ignored;
  return read_message(body, empty_message(), version, "", ignored);
}

std::optional<std::size_t> index_of(const Resource& resource, const std::string& node) {
  const std::string id = node.substr(node.rfind('/') + 1);
  for (std::size_t i = 0; i < resource.slices.size(); ++i) {
    if (resource.slices[i].id == id) return i;
  }
  return std::nullopt;
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
  std::vector<const Resource*> all;
  for (const Resource& resource : world_.resources()) all.push_back(&resource);
  const auto item = [&](std::size_t i) { return render_resource(world_, *all[i], route.version); };
  return over_zones(list_answer(request, "queuedResources", all.size(), item), route);
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

Answer Service::maintain(const ApiRequest& request, const Route& route) {
  Json body;
  if (const auto error = read_body(request, body)) return error->answer();
  Json asked;
  if (const auto error = read_message(body, maintenance_request(), route.version, "", asked))
    return error->answer();
  const Resource* resource = world_.find(route.id);
  if (resource == nullptr)
    return no_such(fmt::format("{}/queuedResources/{}", world_.location_name(), route.id)).answer();
  Incident incident;
  incident.kind = Incident::Kind::kMaintain;
  for (const Json& name : asked.value("nodeNames", Json::array())) {
    const auto index = index_of(*resource, name.get<std::string>());
    if (!index) return no_such("nodes/" + name.get<std::string>()).answer();
    incident.slices.push_back(*index);
  }
  return operation_answer(request, world_.maintain(route.id, incident, route.version));
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

Answer Service::remove_operation(const ApiRequest&, const Route& route) {
  const auto error =
      world_.forget_operation(fmt::format("{}/operations/{}", world_.location_name(), route.id));
  return error ? error->answer() : Answer{};
}

Answer Service::cancel_operation(const ApiRequest& request, const Route& route) {
  if (const auto error = check_empty(request, route.version)) return error->answer();
  const auto error =
      world_.cancel_operation(fmt::format("{}/operations/{}", world_.location_name(), route.id));
  return error ? error->answer() : Answer{};
}

}  // namespace slipway::emulator
