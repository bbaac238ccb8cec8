#include "cli/resource_workers.h"

#include <algorithm>

#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

Worker worker_of(const Node& node, std::size_t slice_index, std::size_t index) {
  Worker worker;
  worker.slice = node.name.id;
  worker.slice_index = slice_index;
  worker.index = index;
  worker.instance_id = node.id.empty() ? node.create_time : node.id;
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

/// The chosen workers, counted over the slice that has the most: the others have a part of them.
Result<std::vector<std::size_t>> choose_workers(const std::vector<Node>& nodes, const Selection& chosen) {
  std::size_t most = 0;
  for (const Node& node : nodes) most = std::max(most, node.endpoints.size());
  if (most == 0) return std::vector<std::size_t>();  // nothing to choose from yet: no mistake of the words
  return chosen.apply(most, "worker");
}

}  // namespace

Result<ResourceWorkers> find_workers(tpu::Client& client, const SliceSet& slices,
                                     const Selection& chosen_slices, const Selection& chosen_workers,
                                     HostKeys host_keys) {
  const auto with_next = [&](Error error) {
    return std::move(error).next("slipway workers " + shell_quote(slices.source.text()));
  };
  const Result<std::vector<std::size_t>> positions = chosen_slices.apply(slices.names, "slice");
  if (!positions.ok()) return with_next(positions.error());
  std::vector<NodeName> names;
  for (const std::size_t index : *positions) names.push_back({slices.source.location, slices.names[index]});

  ResourceWorkers found;
  std::vector<std::size_t> slice_indices;  // of found.nodes
  std::vector<Result<Node>> nodes = client.get_nodes(names);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].ok()) {
      found.missing.push_back({names[i].id, (*positions)[i], nodes[i].error()});
      continue;
    }
    found.nodes.push_back(std::move(*nodes[i]));
    slice_indices.push_back((*positions)[i]);
  }
  if (found.nodes.empty()) return std::move(found.missing.front().error);
  const Result<std::vector<std::size_t>> indices = choose_workers(found.nodes, chosen_workers);
  if (!indices.ok()) return with_next(indices.error());
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    for (const std::size_t index : *indices) {
      if (index < found.nodes[i].endpoints.size())
        found.workers.push_back(worker_of(found.nodes[i], slice_indices[i], index));
    }
  }
  if (host_keys == HostKeys::kSkip) return found;

  const auto attributes = client.guest_attributes(names_of(found.nodes));
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    // A slice without them keeps its workers: they have no pins, and are refused one by one, by name.
    if (attributes[i].ok()) {
      add_attributes(found.workers, found.nodes[i], *attributes[i]);
    } else {
      found.without_host_keys.push_back({found.nodes[i].name.id, slice_indices[i], attributes[i].error()});
    }
  }
  return found;
}

}  // namespace slipway::cli
