#include "emulator/admin_client.h"

#include <httplib.h>

#include "emulator/faults.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/emulator/emulator.h"
#include "slipway/emulator/incident.h"

namespace slipway::emulator {
namespace {

constexpr int kPatienceSeconds = 30;

std::string value_of(const Exports& exports, std::string_view name) {
  for (const auto& [key, value] : exports) {
    if (key == name) return value;
  }
  return "";
}

Error refused(int http_status, const Json& body) {
  const Json* error = find_member(body, "error");
  const std::string message = error == nullptr ? "" : string_member(*error, "message");
  const std::string status = error == nullptr ? "" : string_member(*error, "status");
  ErrorCode code = ErrorCode::kFailed;
  if (http_status == 404) code = ErrorCode::kNotFound;
  if (status == "INVALID_ARGUMENT") code = ErrorCode::kUsage;
  if (status == "FAILED_PRECONDITION") code = ErrorCode::kConflict;
  return {code, message.empty() ? fmt::format("the emulator answers {}", http_status) : message};
}

}  // namespace

Result<Json> ask_admin(const std::string& state_dir, const std::string& method, const std::string& path,
                       const Json& body) {
  TRY(const Exports exports, exports_of(state_dir));
  TRY(const std::string token, read_file(value_of(exports, "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE")));
  std::string base = value_of(exports, "CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU");
  if (!base.empty() && base.back() == '/') base.pop_back();
  httplib::Client client(base);
  client.set_read_timeout(kPatienceSeconds);
  httplib::Request request;
  request.method = method;
  request.path = "/emulator/" + path;
  request.headers = {{"Authorization", "Bearer " + std::string(trim(token))}};
  if (!body.is_null()) request.body = dump_json(body);
  const httplib::Result answered = client.send(request);
  if (!answered) {
    return Error(ErrorCode::kUnavailable, fmt::format("the emulator in '{}' does not answer", state_dir))
        .why(httplib::to_string(answered.error()));
  }
  TRY(Json document, parse_json(answered->body));
  if (answered->status >= 300) return refused(answered->status, document);
  return document;
}

Result<std::string> add_fault(const std::string& state_dir, const Fault& fault) {
  TRY(const Json answer, ask_admin(state_dir, "POST", "faults", to_json(fault)));
  return string_member(answer, "id");
}

Result<std::vector<Fault>> list_faults(const std::string& state_dir) {
  TRY(const Json answer, ask_admin(state_dir, "GET", "faults"));
  std::vector<Fault> faults;
  for (const Json& one : answer.value("faults", Json::array())) faults.push_back(fault_from(one));
  return faults;
}

Result<void> clear_faults(const std::string& state_dir, const std::string& id) {
  TRY(ask_admin(state_dir, "DELETE", id.empty() ? "faults" : "faults/" + id));
  return {};
}

Result<std::vector<Machines>> machines_of(const std::string& state_dir, const std::string& id) {
  TRY(const Json answer, ask_admin(state_dir, "GET", "queuedResources/" + id));
  std::vector<Machines> slices;
  for (const Json& node : answer.value("nodes", Json::array()))
    slices.push_back(
        {string_member(node, "id"), static_cast<std::size_t>(int_member(node, "workers").value_or(0))});
  return slices;
}

Result<void> befall(const std::string& state_dir, const std::string& id, const Incident& incident) {
  Json document{{"slices", incident.slices},           {"workers", incident.workers},
                {"noticeMs", incident.notice.count()}, {"code", incident.code},
                {"message", incident.message},         {"initiator", incident.by_user ? "USER" : "SERVICE"}};
  if (incident.repair_after) document["repairAfterMs"] = incident.repair_after->count();
  TRY(ask_admin(state_dir, "POST", fmt::format("queuedResources/{}:{}", id, to_string(incident.kind)),
                document));
  return {};
}

}  // namespace slipway::emulator
