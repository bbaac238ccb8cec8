#include "emulator/admin.h"

#include "emulator/create_request.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr int kLastRpcCode = 16;

std::vector<std::size_t> indexes(const Json& document, std::string_view key) {
  std::vector<std::size_t> all;
  const Json* list = find_member(document, key);
  if (list == nullptr || !list->is_array()) return all;
  for (const Json& one : *list) {
    if (one.is_number_unsigned()) all.push_back(one.get<std::size_t>());
  }
  return all;
}

std::optional<Incident::Kind> kind_of(std::string_view verb) {
  for (const Incident::Kind kind : {Incident::Kind::kPreempt, Incident::Kind::kRepair, Incident::Kind::kFail,
                                    Incident::Kind::kSuspend, Incident::Kind::kMaintain}) {
    if (verb == to_string(kind)) return kind;
  }
  return std::nullopt;
}

Incident incident_from(const Json& document, Incident::Kind kind) {
  Incident incident;
  incident.kind = kind;
  incident.slices = indexes(document, "slices");
  incident.workers = indexes(document, "workers");
  if (const auto after = int_member(document, "repairAfterMs"))
    incident.repair_after = std::chrono::milliseconds(*after);
  incident.notice = std::chrono::milliseconds(int_member(document, "noticeMs").value_or(0));
  incident.code = static_cast<int>(int_member(document, "code").value_or(incident.code));
  if (const std::string message = string_member(document, "message"); !message.empty())
    incident.message = message;
  incident.by_user = string_member(document, "initiator") == "USER";
  return incident;
}

}  // namespace

std::string_view to_string(Incident::Kind kind) {
  switch (kind) {
    case Incident::Kind::kPreempt:
      return "preempt";
    case Incident::Kind::kRepair:
      return "repair";
    case Incident::Kind::kFail:
      return "fail";
    case Incident::Kind::kSuspend:
      return "suspend";
    case Incident::Kind::kMaintain:
      return "maintain";
  }
  return "";
}

Answer Admin::handle(const ApiRequest& request) {
  if (const auto error = service_.admit(request)) return error->answer();
  const std::vector<std::string> parts = split(request.path, '/');  // "", "emulator", what, id
  const std::string id = parts.size() == 4 ? parts[3] : "";
  if (parts.size() <= 4 && parts[2] == "faults") return handle_faults(request, id);
  if (parts.size() == 4 && parts[2] == "queuedResources") return handle_resource(request, id);
  return no_such(request.path).answer();
}

Answer Admin::handle_faults(const ApiRequest& request, const std::string& id) {
  if (request.method == "GET") {
    Json all = Json::array();
    for (const Fault& fault : faults_.list()) all.push_back(to_json(fault));
    return {200, Json{{"faults", std::move(all)}}};
  }
  if (request.method == "DELETE") {
    if (faults_.clear(id)) return {};
    return no_such("faults/" + id).answer();
  }
  Json document;
  if (const auto error = read_body(request, document)) return error->answer();
  const auto added = faults_.add(fault_from(document));
  if (const auto* error = std::get_if<ApiError>(&added)) return error->answer();
  return {200, Json{{"id", std::get<std::string>(added)}}};
}

Answer Admin::handle_resource(const ApiRequest& request, const std::string& id_and_verb) {
  const std::size_t colon = id_and_verb.rfind(':');
  const std::string id = id_and_verb.substr(0, colon);
  if (request.method == "GET") return service_.machines_of(id);
  const auto kind = kind_of(colon == std::string::npos ? "" : id_and_verb.substr(colon + 1));
  if (request.method != "POST" || !kind) return no_such(request.path).answer();
  Json document;
  if (const auto error = read_body(request, document)) return error->answer();
  const Incident incident = incident_from(document, *kind);
  if (incident.code < 1 || incident.code > kLastRpcCode)
    return bad_field("code", fmt::format("{} is no code of an error", incident.code)).answer();
  if (const auto error = service_.befall(id, incident)) return error->answer();
  return {};
}

}  // namespace slipway::emulator
