#include "cli/resource_workers.h"

#include "slipway/core/format.h"
#include "slipway/core/log.h"

namespace slipway::cli {
namespace {

Worker worker_of(const Node& node, std::size_t slice_index, std::size_t index) {
  Worker worker;
  worker.slice = node.name.id;
  worker.slice_index = slice_index;
  worker.index = index;
  worker.endpoint = node.endpoints[index];
  worker.slice_state = node.state;
  worker.slice_health = node.health;
  return worker;
}

/// A slice without published attributes keeps its workers: they have no pins, and are refused one by one, by
/// name.
void add_attributes(std::vector<Worker>& workers, const Node& node,
                    const Result<std::vector<GuestAttributes>>& answer) {
  if (!answer.ok()) {
    log(LogLevel::kInfo,
        fmt::format("no guest attributes of {}: {}", node.name.id, answer.error().message()));
    return;
  }
  for (Worker& worker : workers) {
    if (worker.slice != node.name.id || worker.index >= answer->size()) continue;
    worker.host_keys = (*answer)[worker.index].host_keys;
    worker.hostname = (*answer)[worker.index].hostname;
  }
}

std::vector<NodeName> names_of(const std::vector<Node>& nodes) {
  std::vector<NodeName> names;
  for (const Node& node : nodes) names.push_back(node.name);
  return names;
}

}  // namespace

Result<ResourceWorkers> find_workers(tpu::Client& client, const QueuedResource& resource,
                                     const Selection& slices, const Selection& workers, HostKeys host_keys) {
  const std::vector<std::string> slice_names = resource.slice_names();
  TRY(const std::vector<std::size_t> chosen, slices.apply(slice_names, "slice"));
  std::vector<NodeName> names;
  for (const std::size_t index : chosen) names.push_back({resource.name.location, slice_names[index]});

  ResourceWorkers found;
  std::vector<Result<Node>> nodes = client.get_nodes(names);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].ok()) {
      found.missing.push_back({names[i].id, chosen[i], nodes[i].error()});
      continue;
    }
    Node& node = *nodes[i];
    node.name = names[i];  // the API may spell the project as a number
    TRY(const std::vector<std::size_t> indices, workers.apply(node.endpoints.size(), "worker"));
    for (const std::size_t index : indices) found.workers.push_back(worker_of(node, chosen[i], index));
    found.nodes.push_back(std::move(node));
  }
  if (found.nodes.empty()) return std::move(found.missing.front().error);
  if (host_keys == HostKeys::kSkip) return found;

  const auto attributes = client.guest_attributes(names_of(found.nodes));
  for (std::size_t i = 0; i < attributes.size(); ++i)
    add_attributes(found.workers, found.nodes[i], attributes[i]);
  return found;
}

}  // namespace slipway::cli
