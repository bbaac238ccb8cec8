#include "emulator/create_request.h"

#include <algorithm>

#include "emulator/time_limits.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr std::int64_t kMostSlices = 254;  // N and W of 127.S.N.W are one byte each
constexpr int kMostWorkers = 250;
constexpr std::size_t kLongestDescription = 512;
constexpr std::size_t kLargestMetadataValue = std::size_t{256} << 10;

std::optional<ApiError> at_most_one(const Json& object, std::initializer_list<const char*> names,
                                    const std::string& at) {
  std::vector<std::string> present;
  for (const char* name : names) {
    if (object.contains(name)) present.emplace_back(name);
  }
  if (present.size() < 2) return std::nullopt;
  return bad_field(at + present[1], fmt::format("Only one of {} may be set", fmt::join(present, ", ")));
}

std::optional<ApiError> read_accelerator(const Json& node, const std::string& at, Accelerator& out) {
  const Json* config = find_member(node, "acceleratorConfig");
  const std::string name = string_member(node, "acceleratorType");
  if (config != nullptr && !name.empty()) {
    return bad_field(at + "acceleratorConfig",
                     "Only one of acceleratorType and acceleratorConfig may be set");
  }
  if (config == nullptr && name.empty())
    return bad_field(at + "acceleratorType", "acceleratorType or acceleratorConfig is required");
  const auto found = config == nullptr ? find_accelerator(name)
                                       : find_accelerator(string_member(*config, "type"),
                                                          string_member(*config, "topology"));
  if (!found) {
    return bad_field(at + (config == nullptr ? "acceleratorType" : "acceleratorConfig"),
                     fmt::format("Accelerator type {} is not offered in this zone",
                                 config == nullptr ? name : dump_json(*config)));
  }
  out = *found;
  return std::nullopt;
}

std::optional<ApiError> check_metadata(const Json& node, const std::string& at) {
  const Json* metadata = find_member(node, "metadata");
  if (metadata == nullptr) return std::nullopt;
  for (const auto& [key, value] : metadata->items()) {
    if (value.get_ref<const std::string&>().size() > kLargestMetadataValue) {
      return bad_field(at + "metadata", fmt::format("Metadata value '{}' is longer than {} bytes", key,
                                                    kLargestMetadataValue));
    }
  }
  return std::nullopt;
}

std::optional<ApiError> check_runtime(const Json& node, const std::string& at) {
  const std::string runtime = string_member(node, "runtimeVersion");
  if (runtime.empty()) return bad_field(at + "runtimeVersion", "runtimeVersion is required");
  const auto& offered = runtime_versions();
  if (std::find(offered.begin(), offered.end(), runtime) != offered.end()) return std::nullopt;
  return bad_field(at + "runtimeVersion",
                   fmt::format("Runtime version {} is not offered in this zone", runtime));
}

std::optional<ApiError> check_node(const Json& spec, const std::string& at, CreateRequest& out) {
  const Json* node = find_member(spec, "node");
  if (node == nullptr) return bad_field(at, "node is required");
  if (auto error = read_accelerator(*node, at + ".", out.accelerator)) return error;
  if (auto error = check_runtime(*node, at + ".")) return error;
  if (string_member(*node, "description").size() > kLongestDescription)
    return bad_field(at + ".description", fmt::format("description is longer than {}", kLongestDescription));
  if (auto error = at_most_one(*node, {"networkConfig", "networkConfigs"}, at + ".")) return error;
  return check_metadata(*node, at + ".");
}

std::optional<ApiError> read_one_slice(const Json& spec, const std::string& at, CreateRequest& out) {
  const std::string id = string_member(spec, "nodeId");
  if (!is_resource_id(id)) return bad_field(at + ".nodeId", fmt::format("'{}' is no valid node id", id));
  out.node_ids = {id};
  return std::nullopt;
}

std::optional<ApiError> read_many_slices(const Json& params, const std::string& at, CreateRequest& out) {
  const std::int64_t count = int_member(params, "nodeCount").value_or(0);
  if (count < 2)
    return bad_field(at + ".nodeCount", fmt::format("nodeCount has to be at least 2, not {}", count));
  if (!out.accelerator.multislice) {
    return bad_field(at, fmt::format("{} cannot be used in a multislice request: it needs v4 or newer",
                                     out.accelerator.name));
  }
  if (count > kMostSlices) {
    return over_quota("slices", fmt::format("nodeCount {} is over {}, all that this emulator can address",
                                            count, kMostSlices));
  }
  const std::string prefix = params.value("nodeIdPrefix", out.id);
  if (!is_resource_id(prefix))
    return bad_field(at + ".nodeIdPrefix", fmt::format("'{}' is no valid node id prefix", prefix));
  for (std::int64_t i = 0; i < count; ++i) out.node_ids.push_back(fmt::format("{}-{}", prefix, i));
  out.multislice = true;
  return std::nullopt;
}

// v2 and v2alpha1 name one block differently; it is stored under one name and shown under the reader's.
Json* slices_block(Json& spec) {
  if (spec.contains("multiNodeParams")) {
    spec["multisliceParams"] = spec["multiNodeParams"];
    spec.erase("multiNodeParams");
  }
  return spec.contains("multisliceParams") ? &spec["multisliceParams"] : nullptr;
}

std::optional<ApiError> read_spec(Json& spec, const std::string& location, CreateRequest& out) {
  const std::string at = "queued_resource.tpu.node_spec[0]";
  const std::string parent = string_member(spec, "parent");
  if (parent != location)
    return bad_field(at + ".parent", fmt::format("parent has to be {}, not '{}'", location, parent));
  if (auto error = check_node(spec, at + ".node", out)) return error;
  const Json* block = slices_block(spec);
  const bool has_id = spec.contains("nodeId");
  if (has_id == (block != nullptr))
    return bad_field(at, "Exactly one of nodeId and the parameters for many nodes has to be set");
  auto error =
      has_id ? read_one_slice(spec, at, out) : read_many_slices(*block, at + ".multislice_params", out);
  if (error) return error;
  if (out.accelerator.workers > kMostWorkers) {
    return over_quota("workers", fmt::format("{} has {} workers a slice; this emulator can address {}",
                                             out.accelerator.name, out.accelerator.workers, kMostWorkers));
  }
  return std::nullopt;
}

std::optional<ApiError> check_interval(const Json& policy) {
  const Json* interval = find_member(policy, "validInterval");
  if (interval == nullptr) return std::nullopt;
  const auto start = parse_rfc3339(string_member(*interval, "startTime"));
  const auto end = parse_rfc3339(string_member(*interval, "endTime"));
  if (start && end && *start < *end) return std::nullopt;
  return bad_field("queued_resource.queueing_policy.valid_interval",
                   "validInterval needs a startTime and an endTime after it");
}

std::optional<ApiError> check_run_duration(const Json& body) {
  const Json* run = find_member(body, "runDuration");
  const std::string at = "queued_resource.run_duration";
  if (run == nullptr) {
    if (string_member(body, "provisioningModel") != "FLEX_START") return std::nullopt;
    return bad_field(at, "FLEX_START needs runDuration.maxRunDuration");
  }
  if (auto error = at_most_one(*run, {"maxRunDuration", "terminationTime"}, at + ".")) return error;
  const auto length = seconds_of(string_member(*run, "maxRunDuration"));
  if (run->contains("terminationTime") || (length && length->count() > 0)) return std::nullopt;
  return bad_field(at + ".max_run_duration", "maxRunDuration has to be longer than nothing");
}

// {projects|folders|organizations}/ID/locations/ZONE/reservations/NAME; "-" for any NAME. gcloud sends "None"
// for a zone that it took from its configuration.
std::optional<ApiError> check_reservation(const Json& body, const std::string& location) {
  const std::string name = string_member(body, "reservationName");
  if (name.empty()) return std::nullopt;
  const std::vector<std::string> parts = split(name, '/');
  const bool named = parts.size() == 6 && parts[2] == "locations" && parts[4] == "reservations" &&
                     (parts[0] == "projects" || parts[0] == "folders" || parts[0] == "organizations") &&
                     !parts[1].empty() && (parts[5] == "-" || is_resource_id(parts[5]));
  if (named && parts[3] == location.substr(location.rfind('/') + 1)) return std::nullopt;
  return bad_field("queued_resource.reservation_name",
                   fmt::format("'{}' names no reservation of {}", name, location));
}

std::optional<ApiError> check_tier(const Json& body) {
  if (auto error = at_most_one(body, {"spot", "guaranteed", "bestEffort"}, "queued_resource.")) return error;
  const Json* policy = find_member(body, "queueingPolicy");
  if (policy == nullptr) return std::nullopt;
  if (auto error = check_interval(*policy)) return error;
  return at_most_one(
      *policy,
      {"validUntilDuration", "validUntilTime", "validAfterDuration", "validAfterTime", "validInterval"},
      "queued_resource.queueing_policy.");
}

}  // namespace

std::optional<ApiError> read_body(const ApiRequest& request, Json& out) {
  out = Json::object();
  if (request.body.empty()) return std::nullopt;
  Result<Json> parsed = parse_json(request.body);
  if (!parsed.ok()) {
    return ApiError{Status::kInvalidArgument, "Invalid JSON payload received. " + parsed.error().message()};
  }
  out = std::move(*parsed);
  return std::nullopt;
}

std::optional<ApiError> read_create(const ApiRequest& request, ApiVersion version,
                                    const std::string& location, CreateRequest& out) {
  out.id = query_value(request, "queuedResourceId");
  if (!is_resource_id(out.id))
    return bad_field("queuedResourceId", fmt::format("'{}' is no valid queued resource id", out.id));
  Json body;
  if (auto error = read_body(request, body)) return error;
  if (auto error = read_message(body, queued_resource_message(), version, "", out.body)) return error;
  if (auto error = check_tier(out.body)) return error;
  if (auto error = check_run_duration(out.body)) return error;
  if (auto error = check_reservation(out.body, location)) return error;
  const Json* specs = find_path(out.body, {"tpu", "nodeSpec"});
  if (specs == nullptr || specs->size() != 1) {
    return bad_field("queued_resource.tpu.node_spec", "tpu.nodeSpec has to have exactly one entry");
  }
  return read_spec(out.body["tpu"]["nodeSpec"][0], location, out);
}

}  // namespace slipway::emulator
