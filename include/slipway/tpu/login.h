#pragma once

#include <map>
#include <string>
#include <vector>

#include "slipway/tpu/client.h"

namespace slipway::tpu {

/// What holds for all machines of a project (Compute API v1, projects.get: commonInstanceMetadata). `compute`
/// is a client whose endpoint is that API's, up to and with its version.
Result<std::map<std::string, std::string>> project_metadata(Client& compute, const std::string& project);

/// Who an account is on machines with OS Login (OS Login API v1).
struct LoginProfile {
  std::string user;               ///< of the primary POSIX account; empty when there is none yet
  std::vector<std::string> keys;  ///< lines as of authorized_keys
};

/// `os_login` is a client of oslogin.googleapis.com, `account` an e-mail address. A project is named so that
/// an account that has no POSIX account yet gets one there.
Result<LoginProfile> login_profile(Client& os_login, const std::string& account, const std::string& project);
/// Adds a key ("ssh-ed25519 AAAA..") to the account. A key that it has already is left as it is.
Result<LoginProfile> import_ssh_key(Client& os_login, const std::string& account, const std::string& project,
                                    const std::string& public_line);

}  // namespace slipway::tpu
