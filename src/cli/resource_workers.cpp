#include "cli/resource_workers.h"

#include "slipway/core/format.h"

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

void add_attributes(std::vector<Worker>& workers, const Node& node,
                    const std::vector<GuestAttributes>& attributes) {
  for (Worker& worker : workers) {
    if (worker.slice != node.name.id || worker.index >= attributes.size()) continue;
    worker.host_keys = attributes[worker.index].host_keys;
    worker.hostname = attributes[worker.index].hostname;
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
  const auto with_next = [&](Error error) {
    return std::move(error).next(fmt::format("slipway workers {}", resource.name.id));
  };
  const Result<std::vector<std::size_t>> chosen_slices = slices.apply(slice_names, "slice");
  if (!chosen_slices.ok()) return with_next(chosen_slices.error());
  const std::vector<std::size_t>& chosen = *chosen_slices;
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
    const Result<std::vector<std::size_t>> indices = workers.apply(node.endpoints.size(), "worker");
    if (!indices.ok()) return with_next(indices.error());
    for (const std::size_t index : *indices) found.workers.push_back(worker_of(node, chosen[i], index));
    found.nodes.push_back(std::move(node));
  }
  if (found.nodes.empty()) return std::move(found.missing.front().error);
  if (host_keys == HostKeys::kSkip) return found;

  const auto attributes = client.guest_attributes(names_of(found.nodes));
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    // A slice without them keeps its workers: they have no pins, and are refused one by one, by name.
    if (attributes[i].ok()) {
      add_attributes(found.workers, found.nodes[i], *attributes[i]);
    } else {
      found.without_host_keys.push_back({found.nodes[i].name.id, i, attributes[i].error()});
    }
  }
  return found;
}

}  // namespace slipway::cli
