#include "cli/resource_text.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

std::string age_text(const std::string& create_time, std::chrono::system_clock::time_point now) {
  const auto created = parse_rfc3339(create_time);
  if (!created) return create_time;
  return fmt::format("{} ({} ago)", create_time, format_duration(std::max(now - *created, {})));
}

std::string slices_text(const QueuedResource& resource) {
  const std::vector<std::string> names = resource.slice_names();
  constexpr std::size_t kMostNames = 8;
  std::string text = std::to_string(names.size());
  if (names.empty()) return text;
  const std::size_t shown = std::min(names.size(), kMostNames);
  text +=
      fmt::format(": {}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return names.size() > shown ? text + fmt::format(", ... {}", names.back()) : text;
}

}  // namespace

std::string accelerator_text(const QueuedResource& resource) {
  if (resource.node_specs.empty()) return "";
  const NodeSpec& spec = resource.node_specs.front();
  if (!spec.accelerator_type.empty()) return spec.accelerator_type;
  return spec.type.empty() ? "" : fmt::format("{} {}", spec.type, spec.topology);
}

std::size_t slice_count(const QueuedResource& resource) { return resource.slice_names().size(); }

std::string describe_text(const QueuedResource& resource, std::chrono::system_clock::time_point now) {
  std::string text;
  const auto line = [&](std::string_view label, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:<14}{}\n", fmt::format("{}:", label), printable(value));
  };
  line("name", resource.name.id);
  line("zone", resource.name.location.zone);
  line("state", resource.state_text);
  line("set by", resource.state_initiator);
  if (resource.failure)
    line("reason", fmt::format("{} (code {})", resource.failure->message, resource.failure->code));
  line("accelerator", accelerator_text(resource));
  if (!resource.node_specs.empty()) line("runtime", resource.node_specs.front().runtime_version);
  line("slices", slices_text(resource));
  line("tier", to_string(resource.tier));
  line("reservation", resource.reservation);
  line("created", age_text(resource.create_time, now));
  return text;
}

}  // namespace slipway::cli
