#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/request.h"
#include "emulator/ssh_keys.h"

namespace slipway::emulator {

/// The OS Login API v1 as far as ssh needs it: users.getLoginProfile and users.importSshPublicKey. Every
/// account has one POSIX account, made at the first look, as in a project whose policy lets everybody in.
class OsLogin {
 public:
  /// Whether a path is this API's.
  static bool owns(const std::string& path);
  Answer handle(const ApiRequest& request);

  /// Everybody's keys by the names that they have on machines.
  std::vector<SshKey> keys() const;
  /// How often keys() has changed.
  std::size_t version() const { return version_; }

 private:
  struct Account {
    std::string user;
    std::map<std::string, std::string> keys;  ///< by fingerprint
  };
  Account& account(const std::string& email);
  Answer import_key(const ApiRequest& request, Account& account);

  std::map<std::string, Account> accounts_;
  std::size_t version_ = 0;
};

}  // namespace slipway::emulator
