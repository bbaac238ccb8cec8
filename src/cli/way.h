#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/api.h"
#include "cli/reach.h"
#include "cli/services.h"
#include "cli/settings.h"
#include "slipway/fleet/target.h"
#include "slipway/model/worker.h"
#include "slipway/ssh/jump_host.h"
#include "slipway/tunnel/iap.h"

namespace slipway::cli {

/// The way to the workers that --jump, --proxy-command and --tunnel-through-iap choose; without any of them
/// it is TCP to their addresses.
class Way {
 public:
  /// Opens what all connections share: logs in to the jump host, or finds the relay. `key_path` is tried at
  /// the jump host too. `settings` outlive it. Errors: kUsage, kUnavailable, kInterrupted, kLocal.
  static Result<Way> open(const ReachOptions& options, const std::string& key_path, const Settings& settings,
                          Api& api, Services& services);

  /// False when it leads nowhere any more, and has to be opened again: the jump host's session has ended.
  bool is_alive() const { return !jump_ || jump_->is_alive(); }
  /// What a worker lacks for this way: a published hostname for IAP (kConflict), an address that is one for
  /// the others (kFailed). `targets` and `workers` are the same ones. Nothing where all is there.
  Result<void> check(const std::vector<fleet::Target>& targets, const std::vector<Worker>& workers) const;
  /// For FanOutOptions::make_socket: targets and workers by the same positions; both are kept by reference,
  /// and so is this. Empty for plain TCP.
  std::function<std::unique_ptr<ssh::Socket>(std::size_t)> sockets(const std::vector<fleet::Target>& targets,
                                                                   const std::vector<Worker>& workers,
                                                                   const std::string& user) const;

 private:
  std::string proxy_command_;
  std::unique_ptr<ssh::JumpHost> jump_;
  std::shared_ptr<const tunnel::IapGateway> iap_;  // shared with the tunnels, which outlive a moved Way
};

/// Open files for each worker, in this process or in the jump host's ssh, which has our limit.
std::size_t descriptors_a_worker(const ReachOptions& options);

/// At most one way, and words that make sense. Errors: kUsage.
Result<void> check_way(const ReachOptions& options);

/// The same way for the system's ssh, as its ProxyCommand; empty for none. Nothing is contacted. With IAP
/// that is this program again: it gets what `global` says about how to sign in.
Result<std::string> proxy_command_for_ssh(const ReachOptions& options, const std::string& key_path,
                                          const Worker& worker, const Location& location,
                                          const std::string& user, const GlobalOptions& global);

}  // namespace slipway::cli
