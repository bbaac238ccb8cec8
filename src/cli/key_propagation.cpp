#include "cli/key_propagation.h"

#include "cli/ssh_key.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

constexpr const char* kSshKeys = "ssh-keys";

std::map<std::string, std::string> with_key(std::map<std::string, std::string> metadata,
                                            const std::string& line) {
  std::string& keys = metadata[kSshKeys];
  if (!keys.empty() && keys.back() != '\n') keys += '\n';
  keys += line;
  return metadata;
}

}  // namespace

Result<KeyState> propagate_key(tpu::Client& client, const std::vector<Node>& nodes, const std::string& user,
                               const ssh::Identity& identity, Services& services) {
  std::vector<const Node*> without;
  for (const Node& node : nodes) {
    const auto keys = node.metadata.find(kSshKeys);
    if (keys == node.metadata.end() || !has_metadata_key(keys->second, user, identity))
      without.push_back(&node);
  }
  if (without.empty()) return KeyState::kWasThere;

  services.say(fmt::format("adding your ssh key for '{}' to {}", user, counted(without.size(), "slice")));
  std::vector<Operation> operations;
  for (const Node* node : without) {
    TRY(Operation operation,
        client.set_metadata(node->name, with_key(node->metadata, metadata_key_line(user, identity))));
    operations.push_back(std::move(operation));
  }
  constexpr std::chrono::minutes kLongest{10};
  for (const Operation& operation : operations) TRY(tpu::wait_for_operation(client, operation, kLongest));
  return KeyState::kAdded;
}

}  // namespace slipway::cli
