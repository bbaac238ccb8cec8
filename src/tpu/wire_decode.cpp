#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "tpu/json_fields.h"
#include "tpu/wire.h"

namespace slipway::tpu::wire {
namespace {

constexpr std::size_t kShownOfGarbage = 80;
constexpr int kIndent = 2;

/// What a captive portal or a proxy sends instead of the API's answer.
Error no_api_answer(const http::Response& response, const Error& problem) {
  const std::string begin = printable(trim(std::string_view(response.body).substr(0, kShownOfGarbage)));
  return Error(ErrorCode::kFailed, "not an answer of a Google API")
      .why(response.body.empty() ? "the body is empty"
                                 : fmt::format("{}; it begins: {}", problem.why(), begin));
}

Error bad_shape(const ShapeProblem& problem) {
  return Error(ErrorCode::kFailed, "the API's answer has an unexpected shape").why(printable(problem.text));
}

/// Parses the body and reads it with `read`; a shape problem that `read` met becomes the error.
template <typename Value>
Result<Value> decode(const http::Response& response, Value (*read)(const JsonFields&)) {
  const Result<Json> document = parse_json(response.body);
  if (!document.ok()) return no_api_answer(response, document.error());
  ShapeProblem problem;
  Value value = read(JsonFields(document.value(), "", problem));
  if (!problem.text.empty()) return bad_shape(problem);
  return value;
}

/// The location and the last part of projects/P/locations/Z/<collection>/ID; notes whatever is none.
std::pair<Location, std::string> read_name(const JsonFields& fields, std::string_view collection) {
  const std::string name = fields.text("name");
  const std::vector<std::string> parts = split(name, '/');
  if (parts.size() == 6 && parts[0] == "projects" && parts[2] == "locations" && parts[4] == collection &&
      !parts[5].empty()) {
    return {{parts[1], parts[3]}, parts[5]};
  }
  const std::string prefix = fields.path().empty() ? "" : fields.path() + ".";
  fields.note(name.empty() ? fmt::format("{}name is missing", prefix)
                           : fmt::format("{}name is '{}', not projects/../locations/../{}/..", prefix, name,
                                         collection));
  return {};
}

std::optional<ApiStatus> read_status(const JsonFields& fields, std::string_view key) {
  if (!fields.has(key)) return std::nullopt;
  const JsonFields status = fields.object(key);
  return ApiStatus{static_cast<int>(status.number("code")), status.text("message")};
}

NodeSpec read_node_spec(const JsonFields& fields) {
  // v2 says multisliceParams, v2alpha1 multiNodeParams.
  const JsonFields many =
      fields.object(fields.has("multiNodeParams") ? "multiNodeParams" : "multisliceParams");
  const JsonFields node = fields.object("node");
  const JsonFields shape = node.object("acceleratorConfig");
  NodeSpec spec;
  spec.node_id = fields.text("nodeId");
  spec.node_count = static_cast<int>(std::clamp<std::int64_t>(many.number("nodeCount", 1), 0, 1'000'000));
  spec.node_id_prefix = many.text("nodeIdPrefix");
  spec.accelerator_type = node.text("acceleratorType");
  spec.type = shape.text("type");
  spec.topology = shape.text("topology");
  spec.runtime_version = node.text("runtimeVersion");
  return spec;
}

Tier read_tier(const JsonFields& fields) {
  if (fields.has("spot")) return Tier::kSpot;
  if (fields.has("bestEffort")) return Tier::kBestEffort;
  return fields.has("guaranteed") ? Tier::kGuaranteed : Tier::kOnDemand;
}

Schedule read_schedule(const JsonFields& fields) {
  const JsonFields policy = fields.object("queueingPolicy");
  const JsonFields interval = policy.object("validInterval");
  const JsonFields run = fields.object("runDuration");
  Schedule schedule;
  schedule.from = policy.has("validAfterTime") ? policy.text("validAfterTime") : interval.text("startTime");
  schedule.until = policy.has("validUntilTime") ? policy.text("validUntilTime") : interval.text("endTime");
  schedule.from_delay = policy.text("validAfterDuration");
  schedule.until_delay = policy.text("validUntilDuration");
  schedule.run_duration = run.text("maxRunDuration");
  schedule.run_end = run.text("terminationTime");
  return schedule;
}

QueuedResource read_queued_resource(const JsonFields& fields) {
  const JsonFields state = fields.object("state");
  QueuedResource resource;
  std::tie(resource.name.location, resource.name.id) = read_name(fields, "queuedResources");
  resource.state_text = state.text("state");
  resource.state = parse_queued_resource_state(resource.state_text).value_or(QueuedResourceState::kOther);
  resource.state_initiator = state.text("stateInitiator");
  resource.failure = read_status(state.object("failedData"), "error");
  resource.create_time = fields.text("createTime");
  resource.tier = read_tier(fields);
  resource.reservation = fields.text("reservationName");
  resource.provisioning_model = fields.text("provisioningModel");
  resource.schedule = read_schedule(fields);
  for (const JsonFields& spec : fields.object("tpu").objects("nodeSpec"))
    resource.node_specs.push_back(read_node_spec(spec));
  return resource;
}

Page read_page(const JsonFields& fields) {
  Page page;
  for (const JsonFields& item : fields.objects("queuedResources")) {
    page.resources.push_back(read_queued_resource(item));
    page.resources.back().document = dump_json(item.value(), kIndent);
  }
  page.unreachable = fields.texts("unreachable");
  page.next_page_token = fields.text("nextPageToken");
  return page;
}

/// With several networks the list holds VMs x network cards: the first card of each VM is the one that
/// answers ssh.
std::vector<NetworkEndpoint> read_endpoints(const JsonFields& fields) {
  const std::size_t cards = std::max<std::size_t>(1, fields.objects("networkConfigs").size());
  const std::vector<JsonFields> listed = fields.objects("networkEndpoints");
  std::vector<NetworkEndpoint> endpoints;
  for (std::size_t i = 0; i < listed.size(); i += cards) {
    endpoints.push_back({listed[i].text("ipAddress"), listed[i].object("accessConfig").text("externalIp")});
  }
  return endpoints;
}

std::vector<Symptom> read_symptoms(const JsonFields& fields) {
  std::vector<Symptom> symptoms;
  for (const JsonFields& one : fields.objects("symptoms"))
    symptoms.push_back({one.text("symptomType"), one.text("workerId"), one.text("details")});
  return symptoms;
}

std::optional<Maintenance> read_maintenance(const JsonFields& fields) {
  if (!fields.has("upcomingMaintenance")) return std::nullopt;
  const JsonFields coming = fields.object("upcomingMaintenance");
  return Maintenance{coming.text("type"), coming.text("maintenanceStatus"), coming.text("windowStartTime"),
                     coming.text("windowEndTime")};
}

Node read_node(const JsonFields& fields) {
  Node node;
  std::tie(node.name.location, node.name.id) = read_name(fields, "nodes");
  node.id = fields.text("id");
  node.state = fields.text("state");
  node.health = fields.text("health");
  node.health_description = fields.text("healthDescription");
  node.symptoms = read_symptoms(fields);
  node.maintenance = read_maintenance(fields);
  node.accelerator_type = fields.text("acceleratorType");
  node.runtime_version = fields.text("runtimeVersion");
  node.create_time = fields.text("createTime");
  node.queued_resource = fields.text("queuedResource");
  node.metadata = fields.text_map("metadata");
  node.endpoints = read_endpoints(fields);
  return node;
}

NodePage read_node_page(const JsonFields& fields) {
  NodePage page;
  for (const JsonFields& item : fields.objects("nodes")) page.nodes.push_back(read_node(item));
  page.next_page_token = fields.text("nextPageToken");
  return page;
}

/// guest-agent writes hostkeys/<type>; what else is in that namespace is no key type.
bool is_host_key_type(std::string_view key) {
  return key.substr(0, 4) == "ssh-" || key.substr(0, 6) == "ecdsa-";
}

GuestAttributes read_guest_attributes_of_one(const JsonFields& fields) {
  GuestAttributes attributes;
  for (const JsonFields& item : fields.object("queryValue").objects("items")) {
    const std::string key = item.text("key");
    const std::string scope = item.text("namespace");
    if (is_host_key_type(key) && (scope == "hostkeys" || scope.empty())) {
      attributes.host_keys.push_back({key, std::string(trim(item.text("value")))});
    } else if (key == "hostname") {
      attributes.hostname = item.text("value");
    }
  }
  return attributes;
}

Offer read_offer(const JsonFields& fields) {
  Offer offer;
  // Each kind of offer has a field of its own for its short name; all have the full name.
  for (const std::string_view key : {"type", "version", "locationId"}) {
    if (offer.id.empty()) offer.id = fields.text(key);
  }
  if (offer.id.empty()) offer.id = last_segment(fields.text("name"));
  if (offer.id.empty()) fields.note(fields.path() + ".name is missing");
  offer.zone = zone_of(fields.text("name"));
  for (const JsonFields& shape : fields.objects("acceleratorConfigs"))
    offer.shapes.push_back({shape.text("type"), shape.text("topology")});
  offer.document = dump_json(fields.value(), kIndent);
  return offer;
}

OfferPage read_offers(const JsonFields& fields, std::string_view collection) {
  OfferPage page;
  for (const JsonFields& item : fields.objects(collection)) page.offers.push_back(read_offer(item));
  page.unreachable = fields.texts("unreachable");
  page.next_page_token = fields.text("nextPageToken");
  return page;
}

std::vector<GuestAttributes> read_guest_attributes(const JsonFields& fields) {
  std::vector<GuestAttributes> workers;
  for (const JsonFields& one : fields.objects("guestAttributes"))
    workers.push_back(read_guest_attributes_of_one(one));
  return workers;
}

Operation read_operation(const JsonFields& fields) {
  const JsonFields metadata = fields.object("metadata");
  Operation operation;
  operation.name = fields.text("name");
  operation.done = fields.flag("done");
  if (operation.done) operation.error = read_status(fields, "error");
  operation.target = metadata.text("target");
  operation.verb = metadata.text("verb");
  return operation;
}

/// The same with the document kept, byte for byte.
template <typename Value>
Result<Value> decode_whole(const http::Response& response, Value (*read)(const JsonFields&)) {
  TRY(Value value, decode(response, read));
  value.document = response.body;
  return value;
}

}  // namespace

Result<QueuedResource> decode_queued_resource(const http::Response& response) {
  return decode_whole(response, read_queued_resource);
}
Result<Page> decode_page(const http::Response& response) { return decode(response, read_page); }
Result<Node> decode_node(const http::Response& response) { return decode_whole(response, read_node); }
Result<NodePage> decode_node_page(const http::Response& response) { return decode(response, read_node_page); }
Result<OfferPage> decode_accelerator_types(const http::Response& response) {
  return decode<OfferPage>(response,
                           [](const JsonFields& fields) { return read_offers(fields, "acceleratorTypes"); });
}
Result<OfferPage> decode_runtime_versions(const http::Response& response) {
  return decode<OfferPage>(response,
                           [](const JsonFields& fields) { return read_offers(fields, "runtimeVersions"); });
}
Result<OfferPage> decode_locations(const http::Response& response) {
  return decode<OfferPage>(response,
                           [](const JsonFields& fields) { return read_offers(fields, "locations"); });
}
Result<std::vector<GuestAttributes>> decode_guest_attributes(const http::Response& response) {
  return decode(response, read_guest_attributes);
}
Result<Operation> decode_operation(const http::Response& response) {
  return decode_whole(response, read_operation);
}

}  // namespace slipway::tpu::wire
