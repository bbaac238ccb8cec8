// What the zone offers. All run under Service's mutex.
#include <algorithm>

#include "emulator/render.h"
#include "emulator/service.h"
#include "slipway/core/format.h"

namespace slipway::emulator {

Answer Service::get_accelerator(const ApiRequest&, const Route& route) {
  const auto found = find_accelerator(route.id);
  if (!found)
    return no_such(fmt::format("{}/acceleratorTypes/{}", world_.location_name(), route.id)).answer();
  return {200, render_accelerator(world_, *found)};
}

Answer Service::list_accelerators(const ApiRequest& request, const Route&) {
  std::vector<Json> items;
  for (const Accelerator& one : accelerator_catalog()) items.push_back(render_accelerator(world_, one));
  return list_answer(request, "acceleratorTypes", items);
}

Answer Service::get_runtime(const ApiRequest&, const Route& route) {
  const auto& all = runtime_versions();
  if (std::find(all.begin(), all.end(), route.id) == all.end()) {
    return no_such(fmt::format("{}/runtimeVersions/{}", world_.location_name(), route.id)).answer();
  }
  return {200, render_runtime(world_, route.id)};
}

Answer Service::list_runtimes(const ApiRequest& request, const Route&) {
  std::vector<Json> items;
  for (const std::string& one : runtime_versions()) items.push_back(render_runtime(world_, one));
  return list_answer(request, "runtimeVersions", items);
}

Answer Service::get_location(const ApiRequest&, const Route&) { return {200, render_location(world_)}; }

Answer Service::list_locations(const ApiRequest& request, const Route&) {
  return list_answer(request, "locations", {render_location(world_)});
}

// Nobody has reserved anything here: a request that names a reservation is served like any other.
Answer Service::list_reservations(const ApiRequest& request, const Route&) {
  return list_answer(request, "reservations", {});
}

}  // namespace slipway::emulator
