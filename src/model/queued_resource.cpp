#include "slipway/model/queued_resource.h"

#include <cctype>

#include "slipway/core/format.h"

namespace slipway {
namespace {

struct StateName {
  QueuedResourceState state;
  const char* text;
};
constexpr StateName kStateNames[] = {
    {QueuedResourceState::kCreating, "CREATING"},
    {QueuedResourceState::kAccepted, "ACCEPTED"},
    {QueuedResourceState::kWaitingForResources, "WAITING_FOR_RESOURCES"},
    {QueuedResourceState::kProvisioning, "PROVISIONING"},
    {QueuedResourceState::kActive, "ACTIVE"},
    {QueuedResourceState::kFailed, "FAILED"},
    {QueuedResourceState::kSuspending, "SUSPENDING"},
    {QueuedResourceState::kSuspended, "SUSPENDED"},
    {QueuedResourceState::kDeleting, "DELETING"},
};

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::toupper(static_cast<unsigned char>(a[i])) != std::toupper(static_cast<unsigned char>(b[i])))
      return false;
  }
  return true;
}

}  // namespace

std::string to_string(QueuedResourceState state) {
  for (const StateName& known : kStateNames) {
    if (known.state == state) return known.text;
  }
  return "STATE_UNKNOWN";
}

std::optional<QueuedResourceState> parse_queued_resource_state(std::string_view text) {
  for (const StateName& known : kStateNames) {
    if (equal_ignoring_case(text, known.text)) return known.state;
  }
  return std::nullopt;
}

const std::vector<std::string>& queued_resource_state_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const StateName& known : kStateNames) list.emplace_back(known.text);
    return list;
  }();
  return names;
}

std::string to_string(Tier tier) {
  switch (tier) {
    case Tier::kOnDemand:
      return "on-demand";
    case Tier::kSpot:
      return "spot";
    case Tier::kGuaranteed:
      return "guaranteed";
    case Tier::kBestEffort:
      return "best-effort";
  }
  return "on-demand";
}

std::vector<std::string> QueuedResource::slice_names() const {
  std::vector<std::string> names;
  for (const NodeSpec& spec : node_specs) {
    if (!spec.node_id.empty()) {
      names.push_back(spec.node_id);
      continue;
    }
    const std::string& prefix = spec.node_id_prefix.empty() ? name.id : spec.node_id_prefix;
    for (int i = 0; i < spec.node_count; ++i) names.push_back(fmt::format("{}-{}", prefix, i));
  }
  return names;
}

}  // namespace slipway
