#include "emulator/admin.h"

#include "emulator/create_request.h"
#include "slipway/core/text.h"

namespace slipway::emulator {

Answer Admin::handle(const ApiRequest& request) {
  if (const auto error = service_.admit(request)) return error->answer();
  const std::vector<std::string> parts = split(request.path, '/');  // "", "emulator", what, id
  const std::string id = parts.size() == 4 ? parts[3] : "";
  if (parts.size() <= 4 && parts[2] == "faults") return handle_faults(request, id);
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

}  // namespace slipway::emulator
