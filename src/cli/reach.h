#pragma once

#include <optional>
#include <string>

#include "cli/flags.h"
#include "cli/services.h"
#include "slipway/model/worker.h"
#include "slipway/ssh/identity.h"
#include "slipway/tunnel/iap.h"

namespace slipway::cli {

/// How the workers are reached: the flags that every command with ssh sessions has.
struct ReachOptions {
  std::string user;
  std::string ssh_key;
  std::string ssh_key_passphrase_file;
  bool ssh_agent = false;
  int ssh_port = 22;
  bool internal_ip = false;
  std::string host_keys = "pinned";
  std::string jump;
  std::string proxy_command;
  bool iap = false;
  std::string iap_url = tunnel::kIapUrl;
};
void bind_reach_flags(Flags& flags, ReachOptions& options);

/// Where the worker's ssh server is: its external address, unless there is none or --internal-ip says so.
std::string ssh_address(const Worker& worker, const ReachOptions& options);

}  // namespace slipway::cli
