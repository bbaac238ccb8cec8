#include "cli/resource_text.h"

#include "slipway/core/format.h"

namespace slipway::cli {
std::string accelerator_text(const QueuedResource& resource) {
  if (resource.node_specs.empty()) return "";
  const NodeSpec& spec = resource.node_specs.front();
  if (!spec.accelerator_type.empty()) return spec.accelerator_type;
  return spec.type.empty() ? "" : fmt::format("{} {}", spec.type, spec.topology);
}

std::string place_text(const Location& location) { return location.zone == "-" ? "any zone" : location.zone; }

std::size_t slice_count(const QueuedResource& resource) { return resource.slice_names().size(); }

}  // namespace slipway::cli
