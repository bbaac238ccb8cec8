#include "emulator/service.h"

#include <set>

#include "emulator/render.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {

struct Service::Method {
  std::string_view http;
  std::string_view collection;
  bool one;  ///< the path ends with an id
  std::string_view verb;
  Handler handler;
  std::set<std::string_view> parameters = {};
  bool in_v1 = false;
  bool alpha_only = false;
};

namespace {

constexpr std::size_t kLargestBody = std::size_t{4} << 20;

bool is_loopback(std::string_view host) {
  const std::size_t end = host.substr(0, 1) == "[" ? host.find(']') + 1 : host.find(':');
  const std::string_view name = host.substr(0, end);
  return name == "localhost" || name == "[::1]" || name.substr(0, 4) == "127.";
}

// What a requestId stands for: used again with anything else, it is a mistake of the client's.
std::string intent_of(const ApiRequest& request) {
  return fmt::format("{} {}?{}&{}\n{}", request.method, request.path,
                     query_value(request, "queuedResourceId"), query_value(request, "force"), request.body);
}

// A token check whose time does not tell how much of it was right.
bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

const std::vector<Service::Method>& Service::methods() {
  static const std::set<std::string_view> pages = {"pageSize", "pageToken"};
  static const std::set<std::string_view> filtered = {"pageSize", "pageToken", "filter"};
  static const std::set<std::string_view> ordered = {"pageSize", "pageToken", "filter", "orderBy"};
  static const std::vector<Method> all = {
      {"POST", "queuedResources", false, "", &Service::create, {"queuedResourceId", "requestId"}},
      {"GET", "queuedResources", true, "", &Service::get},
      {"GET", "queuedResources", false, "", &Service::list, pages},
      {"DELETE", "queuedResources", true, "", &Service::remove, {"force", "requestId"}},
      {"POST", "queuedResources", true, "reset", &Service::reset},
      {"GET", "nodes", true, "", &Service::get_node},
      {"GET", "nodes", false, "", &Service::list_nodes, pages},
      {"PATCH", "nodes", true, "", &Service::patch_node, {"updateMask"}},
      {"POST", "nodes", true, "getGuestAttributes", &Service::guest_attributes},
      {"DELETE", "nodes", true, "", &Service::remove_node},
      {"POST", "nodes", true, "performMaintenance", &Service::maintain_node, {}, false, true},
      {"POST", "nodes", true, "simulateMaintenanceEvent", &Service::simulate_maintenance, {}, false, true},
      {"POST",
       "queuedResources",
       true,
       "performMaintenanceQueuedResource",
       &Service::maintain,
       {},
       false,
       true},
      {"GET", "reservations", false, "", &Service::list_reservations, pages, false, true},
      {"DELETE", "operations", true, "", &Service::remove_operation},
      {"POST", "operations", true, "cancel", &Service::cancel_operation},
      {"GET", "operations", true, "", &Service::get_operation},
      {"GET", "operations", false, "", &Service::list_operations, filtered},
      {"GET", "acceleratorTypes", true, "", &Service::get_accelerator, {}, true},
      {"GET", "acceleratorTypes", false, "", &Service::list_accelerators, ordered, true},
      {"GET", "runtimeVersions", true, "", &Service::get_runtime},
      {"GET", "runtimeVersions", false, "", &Service::list_runtimes, ordered},
      {"GET", "locations", true, "", &Service::get_location, {}, true},
      {"GET",
       "locations",
       false,
       "",
       &Service::list_locations,
       {"filter", "pageSize", "pageToken", "extraLocationTypes"},
       true},
  };
  return all;
}

Service::Service(WorldOptions options, const Clock& clock, std::string token, std::function<void()> wake)
    : world_(std::move(options), clock), token_(std::move(token)), wake_(std::move(wake)) {}

Answer Service::handle(const ApiRequest& request) {
  if (const auto error = admit(request)) return error->answer();
  if (request.body.size() > kLargestBody)
    return ApiError{Status::kInvalidArgument, "The request is too large"}.answer();
  const std::lock_guard lock(mutex_);
  if (request.method == "GET" && request.path == "/compute/v1/projects/" + world_.options().project)
    return project();
  if (OsLogin::owns(request.path)) return log_in(request);
  const auto route = parse_route(request.path);
  if (!route) return no_such(request.path).answer();
  if (const auto error = check_place(*route)) return error->answer();
  return dispatch(request, *route);
}

Answer Service::log_in(const ApiRequest& request) {
  Answer answer = os_login_.handle(request);
  world_.set_os_login_keys(os_login_.keys(), os_login_.version());
  wake_();
  return answer;
}

std::optional<ApiError> Service::admit(const ApiRequest& request) const {
  // A page in a browser can reach 127.0.0.1 under a name of its own; the Host header tells.
  if (!is_loopback(request.host))
    return ApiError{Status::kMisdirected, "This emulator answers to loopback names only"};
  if (!same_text(request.authorization, "Bearer " + token_)) {
    return ApiError{Status::kUnauthenticated, "The request has no valid access token of this emulator"};
  }
  return std::nullopt;
}

std::optional<ApiError> Service::check_place(const Route& route) const {
  if (route.project != world_.options().project) {
    return ApiError{Status::kPermissionDenied,
                    fmt::format("Permission denied on project {}: this emulator has {} only", route.project,
                                world_.options().project)};
  }
  if (!route.location.empty() && route.location != world_.options().zone && route.location != "-") {
    return ApiError{Status::kNotFound, fmt::format("Location {} was not found: this emulator has {} only",
                                                   route.location, world_.options().zone)};
  }
  return std::nullopt;
}

Answer Service::dispatch(const ApiRequest& request, const Route& route) {
  const bool is_location = route.collection == "locations";
  const bool one = is_location ? !route.location.empty() : !route.id.empty();
  for (const Method& method : methods()) {
    if (method.http != request.method || method.collection != route.collection || method.one != one ||
        method.verb != route.verb || (route.version == ApiVersion::kV1 && !method.in_v1) ||
        (route.version == ApiVersion::kV2 && method.alpha_only)) {
      continue;
    }
    if (route.location == "-" && (method.http != "GET" || method.one)) break;  // a wildcard is for lists
    if (const auto error = check_query(request, method.parameters)) return error->answer();
    return (this->*method.handler)(request, route);
  }
  return ApiError{Status::kNotFound, fmt::format("No method for {} {}", request.method, request.path)}
      .answer();
}

std::optional<Answer> Service::answered_before(const ApiRequest& request) const {
  const std::string id = query_value(request, "requestId");
  const auto known = request_ids_.find(id);
  if (id.empty() || known == request_ids_.end()) return std::nullopt;
  if (known->second.intent != intent_of(request)) {
    return bad_field("requestId", "This requestId was used before for another request").answer();
  }
  const auto operation = world_.operations().find(known->second.operation);
  if (operation == world_.operations().end()) return no_such(known->second.operation).answer();
  return Answer{200, render_operation(operation->second)};
}

Answer Service::over_zones(Answer answer, const Route& route) const {
  if (route.location != "-" || answer.status != 200) return answer;
  for (const std::string& zone : world_.options().unreachable)
    answer.body["unreachable"].push_back(
        fmt::format("projects/{}/locations/{}", world_.options().project, zone));
  return answer;
}

Answer Service::operation_answer(const ApiRequest& request, World::Outcome<std::string> outcome) {
  if (const auto* error = std::get_if<ApiError>(&outcome)) return error->answer();
  const std::string& name = std::get<std::string>(outcome);
  if (const std::string id = query_value(request, "requestId"); !id.empty()) {
    request_ids_[id] = {intent_of(request), name};
  }
  wake_();
  return {200, render_operation(world_.operations().at(name))};
}

std::optional<ApiError> Service::befall(const std::string& id, const Incident& incident) {
  const std::lock_guard lock(mutex_);
  if (auto error = world_.befall(id, incident)) return error;
  wake_();
  return std::nullopt;
}

Answer Service::machines_of(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const Resource* resource = world_.find(id);
  if (resource == nullptr) return no_such("queuedResources/" + id).answer();
  Json nodes = Json::array();
  for (const Slice& slice : resource->slices)
    nodes.push_back(Json{{"id", slice.id}, {"workers", slice.workers.size()}});
  return {200, Json{{"nodes", std::move(nodes)}}};
}

std::optional<Json> Service::metadata(const std::string& address) {
  const std::lock_guard lock(mutex_);
  return world_.metadata(address, token_);
}

std::optional<Clock::time_point> Service::advance(WorkerHost& host) {
  const std::lock_guard lock(mutex_);
  world_.advance(host);
  host_keys_.clear();
  for (const Resource& resource : world_.resources()) {
    for (const Slice& slice : resource.slices) {
      for (const Worker& worker : slice.workers) host_keys_[worker.address] = host.host_key(worker.address);
    }
  }
  return world_.next_due();
}

Answer Service::project() const {
  const Json metadata{{"kind", "compute#metadata"}, {"items", Json::array()}};
  return {200, Json{{"kind", "compute#project"},
                    {"id", "123456789012"},
                    {"name", world_.options().project},
                    {"commonInstanceMetadata", metadata}}};
}

}  // namespace slipway::emulator
