#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/services.h"
#include "slipway/model/node.h"
#include "slipway/tpu/client.h"

namespace slipway::cli {

/// The APIs that decide who may log in to a worker.
struct LoginApis {
  tpu::Client& tpu;
  tpu::Client* compute = nullptr;   ///< the project's metadata; null where it is not to be asked
  tpu::Client* os_login = nullptr;  ///< null where there is none
  std::string account;              ///< the e-mail address that we are signed in with; empty when unknown
};

/// As whom the workers let us in.
struct Admission {
  std::string user;                ///< on machines without OS Login
  std::string os_login_user;       ///< on the others
  std::set<std::string> os_login;  ///< the nodes that have it
  bool just_told = false;          ///< the workers still need a moment to know the key

  const std::string& user_on(const std::string& node) const {
    return os_login.count(node) > 0 ? os_login_user : user;
  }
};

/// What a dry run leaves unsaid otherwise: let_in() may write.
inline constexpr const char* kKeyWouldBeAdded =
    "not asked in a dry run: your ssh key would be added to each node, or OS Login profile, that lacks it";

/// Sees to it that all nodes let the key of `public_line` in. Where OS Login is on (the node's metadata says
/// it, else the project's), the key becomes one of the account's. Elsewhere it is to stand in the node's
/// ssh-keys (where `create` puts it) or in the project's, and is added to the node's otherwise. The API has
/// no finer way than to replace all of a node's metadata: so that nobody else's change is lost they are read
/// again right before, a conflict is tried again, and what came of it is looked at. Errors: kUsage, kDenied,
/// kConflict.
Result<Admission> let_in(const LoginApis& apis, const std::vector<Node>& nodes, const std::string& user,
                         const std::string& public_line, Services& services);

}  // namespace slipway::cli
