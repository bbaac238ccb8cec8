#include "bench/tools.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::bench {
namespace {

bool in_path(const std::string& program) {
  for (const std::string& folder : split(env("PATH"), ':')) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

bool has_asyncssh() { return std::system("python3 -c 'import asyncssh' 2>/dev/null") == 0; }

std::string beside_this(const std::string& file) { return SLIPWAY_SOURCE_DIR "/tests/bench/" + file; }

void add_pdsh(Program& program, const Bed& bed, std::optional<std::size_t> fan_out) {
  program.environment = {"PDSH_SSH_ARGS_APPEND=-F " + bed.ssh_config};
  program.add({"-R", "ssh", "-S", "-w", "^" + bed.hosts});
  if (fan_out) program.add({"-f", std::to_string(*fan_out)});
}

void add_pssh(Program& program, const Bed& bed, std::optional<std::size_t> fan_out) {
  program.add({"-h", bed.hosts, "-t", "0", "-x", "-F " + bed.ssh_config});
  if (fan_out) program.add({"-p", std::to_string(*fan_out)});
}

void add_clush(Program& program, const Bed& bed, std::optional<std::size_t> fan_out) {
  program.add({"-n", "-S", "-o", "-F " + bed.ssh_config, "--hostfile=" + bed.hosts});
  if (fan_out) program.add({"--fanout=" + std::to_string(*fan_out)});
}

/// gcloud finds the workers itself; its batches end at 64, whatever it is told.
Program gcloud_run(const Bed& bed, const std::string& command) {
  return {{"gcloud", "compute", "tpus", "queued-resources", "ssh", bed.resource, "--node=all", "--worker=all",
           "--batch-size=all", "--quiet", "--ssh-key-file=" + env("SLIPWAY_SSH_KEY"), "--command=" + command},
          {"PATH=" + bed.ssh_folder + ":" + env("PATH")}};
}

}  // namespace

std::vector<Peer> installed_peers(const Bed& bed) {
  // The defaults are those of pdsh 2.34, pssh 2.3.4, clush 1.9.1 and gcloud 528.
  std::vector<Peer> peers{{"pdsh", "pdsh", 32},
                          {"pssh", "parallel-ssh", 32},
                          {"clush", "clush", 64},
                          {"asyncssh", "python3", std::nullopt},
                          {"gcloud", "gcloud", 64, false}};
  const auto missing = [&](const Peer& peer) {
    if (peer.name == "asyncssh") return !has_asyncssh();
    return !in_path(peer.program) || (peer.name == "gcloud" && bed.ssh_folder.empty());
  };
  peers.erase(std::remove_if(peers.begin(), peers.end(), missing), peers.end());
  return peers;
}

Program slipway_run(const Bed& bed, const std::string& command, const std::vector<std::string>& more) {
  Program program{{bed.slipway, "run", bed.resource, "--command", command}, {}};
  program.add(more);
  return program;
}

Program slipway_dry_run(const Bed& bed) {
  return {{bed.slipway, "run", bed.resource, "--command", "true", "--dry-run"}, {}};
}

Program slipway_version(const Bed& bed) { return {{bed.slipway, "--version"}, {}}; }

Program peer_run(const Peer& peer, const Bed& bed, std::optional<std::size_t> fan_out,
                 const std::string& command) {
  if (peer.name == "gcloud") return gcloud_run(bed, command);
  Program program{{peer.program}, {}};
  if (peer.name == "pdsh") add_pdsh(program, bed, fan_out);
  if (peer.name == "pssh") add_pssh(program, bed, fan_out);
  if (peer.name == "clush") add_clush(program, bed, fan_out);
  if (peer.name == "asyncssh") program.add({beside_this("asyncssh_client.py"), bed.hosts, bed.ssh_config});
  program.add({command});
  return program;
}

}  // namespace slipway::bench
