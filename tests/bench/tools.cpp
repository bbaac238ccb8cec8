#include "bench/tools.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "slipway/core/text.h"

namespace slipway::bench {
namespace {

bool in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "" : path, ':')) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace

std::vector<Peer> installed_peers() {
  // The defaults are those of pdsh 2.34, pssh 2.3.4 and clush 1.9.1.
  std::vector<Peer> peers{{"pdsh", "pdsh", 32}, {"pssh", "parallel-ssh", 32}, {"clush", "clush", 64}};
  const auto missing = [](const Peer& peer) { return !in_path(peer.program); };
  peers.erase(std::remove_if(peers.begin(), peers.end(), missing), peers.end());
  return peers;
}

Program slipway_run(const Bed& bed, const std::string& command) {
  return {{bed.slipway, "run", bed.resource, "--command", command}, {}};
}

Program slipway_dry_run(const Bed& bed) {
  return {{bed.slipway, "run", bed.resource, "--command", "true", "--dry-run"}, {}};
}

Program slipway_version(const Bed& bed) { return {{bed.slipway, "--version"}, {}}; }

Program peer_run(const Peer& peer, const Bed& bed, std::optional<std::size_t> fan_out,
                 const std::string& command) {
  Program program{{peer.program}, {}};
  std::vector<std::string>& argv = program.argv;
  const std::string config = "-F " + bed.ssh_config;
  if (peer.name == "pdsh") {
    program.environment = {"PDSH_SSH_ARGS_APPEND=" + config};
    argv.insert(argv.end(), {"-R", "ssh", "-S", "-w", "^" + bed.hosts});
    if (fan_out) argv.insert(argv.end(), {"-f", std::to_string(*fan_out)});
  } else if (peer.name == "pssh") {
    argv.insert(argv.end(), {"-h", bed.hosts, "-t", "0", "-x", config});
    if (fan_out) argv.insert(argv.end(), {"-p", std::to_string(*fan_out)});
  } else {
    argv.insert(argv.end(), {"-n", "-S", "-o", config, "--hostfile=" + bed.hosts});
    if (fan_out) argv.push_back("--fanout=" + std::to_string(*fan_out));
  }
  argv.push_back(command);
  return program;
}

}  // namespace slipway::bench
