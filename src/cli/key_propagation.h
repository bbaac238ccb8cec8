#pragma once

#include <string>
#include <vector>

#include "cli/services.h"
#include "slipway/model/node.h"
#include "slipway/ssh/identity.h"
#include "slipway/tpu/client.h"

namespace slipway::cli {

enum class KeyState {
  kWasThere,
  kAdded,  ///< the workers' agents still need a moment to let it in
};

/// Sees to it that the ssh-keys metadata of every node lets `identity` in as `user`, as gcloud does: nodes
/// that have the key (create puts it there) are left alone, others get it added to what they hold.
Result<KeyState> propagate_key(tpu::Client& client, const std::vector<Node>& nodes, const std::string& user,
                               const ssh::Identity& identity, Services& services);

}  // namespace slipway::cli
