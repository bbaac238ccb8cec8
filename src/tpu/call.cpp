#include "slipway/tpu/call.h"

#include "slipway/core/text.h"
#include "slipway/http/url.h"
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

Call write_call(std::string method, std::string path, std::string body) {
  Call call;
  call.method = std::move(method);
  call.path = std::move(path);
  call.body = std::move(body);
  return call;
}

}  // namespace

std::string Call::target() const { return query.empty() ? path : path + '?' + http::encode_form(query); }

Call create_call(const QueuedResourceName& name, const CreateSpec& spec, const std::string& request_id) {
  Call call = write_call(
      "POST", '/' + wire::version_for(spec) + encode_path(name.location.path()) + "/queuedResources",
      wire::encode_create(name.location, spec));
  call.query = {{"queuedResourceId", name.id}, {"requestId", request_id}};
  call.idempotent = true;
  return call;
}

Call get_call(const QueuedResourceName& name) { return read_call("/v2" + encode_path(name.path())); }

Call list_call(const Location& location, int page_size, const std::string& page_token) {
  Call call = read_call("/v2" + encode_path(location.path()) + "/queuedResources");
  if (page_size > 0) call.query.emplace_back("pageSize", std::to_string(page_size));
  if (!page_token.empty()) call.query.emplace_back("pageToken", page_token);
  return call;
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

Call get_node_call(const NodeName& name) { return read_call("/v2" + encode_path(name.path())); }

Call guest_attributes_call(const NodeName& name) {
  Call call = write_call("POST", "/v2" + encode_path(name.path()) + ":getGuestAttributes",
                         wire::encode_guest_attributes_of_all_workers());
  call.idempotent = true;
  return call;
}

Call set_metadata_call(const NodeName& name, const std::map<std::string, std::string>& metadata) {
  Call call = write_call("PATCH", "/v2" + encode_path(name.path()), wire::encode_set_metadata(metadata));
  call.query = {{"updateMask", "metadata"}};
  call.idempotent = true;
  return call;
}

Call get_operation_call(const std::string& operation) { return read_call("/v2" + encode_path(operation)); }

}  // namespace slipway::tpu
