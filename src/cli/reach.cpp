#include "cli/reach.h"

namespace slipway::cli {

void bind_reach_flags(Flags& flags, ReachOptions& options) {
  flags.text("user", options.user, "NAME", "log in as (default: your login name)")
      .text("ssh-key", options.ssh_key, "FILE",
            "private key (default: ~/.ssh/google_compute_engine, else one that is made)")
      .text("ssh-key-passphrase-file", options.ssh_key_passphrase_file, "FILE", "what opens the private key")
      .on("ssh-agent", options.ssh_agent, "log in with a key that your ssh agent holds")
      .number("ssh-port", options.ssh_port, "PORT", "port of the workers' ssh server", 1, 65535)
      .on("internal-ip", options.internal_ip, "connect to internal addresses")
      .text("host-keys", options.host_keys, "MODE",
            "pinned (as published, else as first seen), accept-new (as first seen), strict (no strangers)")
      .text("jump", options.jump, "USER@HOST",
            "connect through this host (USER@HOST:PORT), with the system's ssh")
      .text("proxy-command", options.proxy_command, "TEXT",
            "connect through this program's stdin and stdout; %h address, %p port, %r user")
      .on("tunnel-through-iap", options.iap, "connect through Google's Identity-Aware Proxy")
      .text("iap-url", options.iap_url, "URL", "where that proxy is")
      .rivals({"jump"}, {"proxy-command", "tunnel-through-iap"})
      .rivals({"tunnel-through-iap"}, {"proxy-command", "internal-ip"});
}

std::string ssh_address(const Worker& worker, const ReachOptions& options) {
  const bool internal = options.internal_ip || worker.endpoint.external_address.empty();
  return internal ? worker.endpoint.address : worker.endpoint.external_address;
}

}  // namespace slipway::cli
