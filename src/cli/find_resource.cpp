#include "cli/find_resource.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

std::string nearest_resource(tpu::Client& client, const QueuedResourceName& name) {
  const Result<tpu::QueuedResourceList> list = client.list(name.location);
  if (!list.ok()) return "";
  std::vector<std::string> ids;
  for (const QueuedResource& resource : list->resources) ids.push_back(resource.name.id);
  return nearest(name.id, ids);
}

}  // namespace

Result<QueuedResource> find_resource(Api& api, const QueuedResourceName& name, tpu::ApiVersion version) {
  Result<QueuedResource> found = api.client().get(name, version);
  if (found.ok() || found.error().code() != ErrorCode::kNotFound) return found;
  return no_such_resource(api, name);
}

Error no_such_resource(Api& api, const QueuedResourceName& name) {
  Error error(ErrorCode::kNotFound,
              fmt::format("there is no queued resource '{}' in {}", name.id, name.location.zone));
  const std::string near = nearest_resource(api.client(), name);
  if (!near.empty()) error = std::move(error).why(fmt::format("did you mean '{}'?", near));
  return std::move(error).next("slipway list");
}

}  // namespace slipway::cli
