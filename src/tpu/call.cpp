#include "slipway/tpu/call.h"

#include "slipway/core/text.h"
#include "slipway/http/url.h"
#include "slipway/model/accelerator.h"
#include "tpu/wire.h"

namespace slipway::tpu {
namespace {

/// "projects/p/locations/z" with each segment encoded: no name, however odd, can reach another method.
std::string encode_path(std::string_view path) {
  std::string encoded;
  for (const std::string& segment : split(path, '/')) encoded += '/' + http::percent_encode(segment);
  return encoded;
}

Call read_call(std::string path) {
  Call call;
  call.method = "GET";
  call.path = std::move(path);
  call.idempotent = true;
  return call;
}

Call page_call(std::string path, int page_size, const std::string& page_token) {
  Call call = read_call(std::move(path));
  if (page_size > 0) call.query.emplace_back("pageSize", std::to_string(page_size));
  if (!page_token.empty()) call.query.emplace_back("pageToken", page_token);
  return call;
}

Call write_call(std::string method, std::string path, std::string body) {
  Call call;
  call.method = std::move(method);
  call.path = std::move(path);
  call.body = std::move(body);
  return call;
}

}  // namespace

std::string Call::target() const { return query.empty() ? path : path + '?' + http::encode_form(query); }

std::string to_string(ApiVersion version) { return version == ApiVersion::kV2 ? "v2" : "v2alpha1"; }

std::optional<ApiVersion> parse_api_version(std::string_view text) {
  if (text == "v2") return ApiVersion::kV2;
  if (text == "v2alpha1") return ApiVersion::kV2Alpha1;
  return std::nullopt;
}

std::vector<std::string> alpha_only_fields(const CreateSpec& spec) {
  const AcceleratorFamily* family = find_accelerator_family(spec.type);
  std::vector<std::string> fields;
  if (spec.tier == Tier::kBestEffort) fields.emplace_back("bestEffort");
  if (!spec.provisioning_model.empty()) fields.emplace_back("provisioningModel");
  if (spec.max_run_duration) fields.emplace_back("runDuration");
  if (!spec.workload_type.empty()) fields.emplace_back("workloadType");
  if (family != nullptr && family->alpha_type) fields.push_back("acceleratorConfig.type " + spec.type);
  if (spec.autocheckpoint) fields.emplace_back("autocheckpointEnabled");
  if (spec.boot_disk.said()) fields.emplace_back("bootDiskConfig");
  return fields;
}

CreateBody create_body(const Location& location, const CreateSpec& spec, std::optional<ApiVersion> version) {
  const ApiVersion needed = alpha_only_fields(spec).empty() ? ApiVersion::kV2 : ApiVersion::kV2Alpha1;
  const ApiVersion chosen = version.value_or(needed);
  return {chosen, wire::encode_create(location, spec, chosen)};
}

Call create_call(const QueuedResourceName& name, const CreateBody& body, const std::string& request_id) {
  Call call = write_call(
      "POST", '/' + to_string(body.version) + encode_path(name.location.path()) + "/queuedResources",
      body.json);
  call.query = {{"queuedResourceId", name.id}, {"requestId", request_id}};
  call.idempotent = true;
  return call;
}

Call get_call(const QueuedResourceName& name, ApiVersion version) {
  return read_call('/' + to_string(version) + encode_path(name.path()));
}

Call list_call(const Location& location, int page_size, const std::string& page_token, ApiVersion version) {
  return page_call('/' + to_string(version) + encode_path(location.path()) + "/queuedResources", page_size,
                   page_token);
}

Call offers_call(const Location& location, OfferKind kind, int page_size, const std::string& page_token,
                 ApiVersion version) {
  std::string path = location.path();
  switch (kind) {
    case OfferKind::kAcceleratorTypes:
      path += "/acceleratorTypes";
      break;
    case OfferKind::kRuntimeVersions:
      path += "/runtimeVersions";
      break;
    case OfferKind::kLocations:
      path = "projects/" + location.project + "/locations";
      break;
  }
  return page_call('/' + to_string(version) + encode_path(path), page_size, page_token);
}

Call delete_call(const QueuedResourceName& name, bool force, const std::string& request_id) {
  Call call = write_call("DELETE", "/v2" + encode_path(name.path()), "");
  if (force) call.query.emplace_back("force", "true");
  call.query.emplace_back("requestId", request_id);
  call.idempotent = true;
  return call;
}

Call reset_call(const QueuedResourceName& name) {
  return write_call("POST", "/v2" + encode_path(name.path()) + ":reset",
                    "{}");  // takes no requestId: not idempotent
}

Call list_nodes_call(const Location& location, const std::string& page_token) {
  Call call = read_call("/v2" + encode_path(location.path()) + "/nodes");
  if (!page_token.empty()) call.query.emplace_back("pageToken", page_token);
  return call;
}

Call get_node_call(const NodeName& name) { return read_call("/v2" + encode_path(name.path())); }

Call guest_attributes_call(const NodeName& name) {
  Call call = write_call("POST", "/v2" + encode_path(name.path()) + ":getGuestAttributes",
                         wire::encode_guest_attributes_of_all_workers());
  call.idempotent = true;
  return call;
}

Call set_metadata_call(const NodeName& name, const std::map<std::string, std::string>& metadata) {
  Call call = write_call("PATCH", "/v2" + encode_path(name.path()), wire::encode_set_metadata(metadata));
  // Sent again after a lost answer it would undo what somebody else changed in between.
  call.query = {{"updateMask", "metadata"}};
  return call;
}

Call get_operation_call(const std::string& operation) { return read_call("/v2" + encode_path(operation)); }

}  // namespace slipway::tpu
