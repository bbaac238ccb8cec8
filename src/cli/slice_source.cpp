#include "cli/slice_source.h"

#include <algorithm>

#include "cli/find_resource.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/model/next_step.h"

namespace slipway::cli {
namespace {

constexpr std::string_view kNode = "node:";
constexpr std::string_view kPrefix = "prefix:";

bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

/// The number behind "<prefix>-" without leading zeros, as text: numbers of any length have an order. Empty
/// when `name` is not exactly the prefix, a dash and digits.
std::string number_of(std::string_view name, std::string_view prefix) {
  if (!begins_with(name, prefix) || name.size() < prefix.size() + 2 || name[prefix.size()] != '-') return "";
  name.remove_prefix(prefix.size() + 1);
  if (name.find_first_not_of("0123456789") != std::string_view::npos) return "";
  const std::size_t first = std::min(name.find_first_not_of('0'), name.size() - 1);
  return std::string(name.substr(first));
}

std::vector<std::string> named_by_prefix(const std::vector<Node>& nodes, std::string_view prefix) {
  struct Numbered {
    std::string number;
    std::string name;
  };
  std::vector<Numbered> found;
  for (const Node& node : nodes) {
    std::string number = number_of(node.name.id, prefix);
    if (!number.empty()) found.push_back({std::move(number), node.name.id});
  }
  std::sort(found.begin(), found.end(), [](const Numbered& a, const Numbered& b) {
    return std::tuple(a.number.size(), a.number, a.name) < std::tuple(b.number.size(), b.number, b.name);
  });
  std::vector<std::string> names;
  for (Numbered& one : found) names.push_back(std::move(one.name));
  return names;
}

Result<SliceSet> find_by_prefix(Api& api, const SliceSource& source) {
  TRY(const std::vector<Node> nodes, api.client().list_nodes(source.location));
  SliceSet set{source, named_by_prefix(nodes, source.id), std::nullopt};
  if (!set.names.empty()) return set;
  return Error(ErrorCode::kNotFound,
               fmt::format("no node in {} is named {}-<number>", source.location.zone, printable(source.id)))
      .next("slipway list");
}

}  // namespace

std::string SliceSource::text() const {
  switch (kind) {
    case Kind::kNode:
      return std::string(kNode) + id;
    case Kind::kPrefix:
      return std::string(kPrefix) + id;
    case Kind::kQueuedResource:
      break;
  }
  return id;
}

Result<SourceSettings> resolve_settings_for_slices(const GlobalOptions& options, const std::string& word) {
  if (begins_with(word, kPrefix)) {
    TRY(Settings settings, resolve_settings(options, Needs::kLocation));
    SliceSource source{SliceSource::Kind::kPrefix, settings.location, word.substr(kPrefix.size())};
    TRY(check_resource_id("prefix", source.id));
    return SourceSettings{std::move(settings), std::move(source)};
  }
  if (begins_with(word, kNode)) {
    const std::string name = word.substr(kNode.size());
    const Needs needs = name.find('/') == std::string::npos ? Needs::kLocation : Needs::kNothing;
    TRY(Settings settings, resolve_settings(options, needs));
    TRY(NodeName node, parse_node_name(name, settings.location));
    settings.location = node.location;
    return SourceSettings{std::move(settings), {SliceSource::Kind::kNode, node.location, node.id}};
  }
  TRY(ResourceSettings resource, resolve_settings_for(options, word));
  return SourceSettings{std::move(resource.settings),
                        {SliceSource::Kind::kQueuedResource, resource.name.location, resource.name.id}};
}

Result<SliceSet> find_slices(Api& api, const SliceSource& source) {
  switch (source.kind) {
    case SliceSource::Kind::kNode:
      return SliceSet{source, {source.id}, std::nullopt};
    case SliceSource::Kind::kPrefix:
      return find_by_prefix(api, source);
    case SliceSource::Kind::kQueuedResource:
      break;
  }
  TRY(QueuedResource resource, find_resource(api, {source.location, source.id}));
  std::vector<std::string> names = resource.slice_names();
  return SliceSet{source, std::move(names), std::move(resource)};
}

Result<void> require_active(const SliceSet& slices, const std::string& to_do) {
  if (!slices.resource || slices.resource->state == QueuedResourceState::kActive) return {};
  const QueuedResource& resource = *slices.resource;
  return Error(ErrorCode::kConflict, fmt::format("cannot {} '{}': it is {}, not ACTIVE", to_do,
                                                 resource.name.id, printable(resource.state_text)))
      .why(resource.failure ? resource.failure->message : "")
      .next(next_step(resource));
}

}  // namespace slipway::cli
