#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace slipway::bench {

/// The workers that all clients run on, as each of them wants to be told.
struct Bed {
  std::string slipway;     ///< the program
  std::string resource;    ///< the queued resource
  std::string hosts;       ///< a file with one address a line
  std::string ssh_config;  ///< for clients that start ssh: port, user, key, and slipway's algorithms
  std::string ssh_folder;  ///< an `ssh` that reads that, for gcloud, which finds its own in PATH
  std::string rsa_key;     ///< a second key that the workers know; empty: none
  std::size_t workers = 0;
};

/// Another client.
struct Peer {
  std::string name;                    ///< "pdsh"
  std::string program;                 ///< what must be in PATH
  std::optional<std::size_t> fan_out;  ///< its default limit on running commands
  bool limit_can_be_raised = true;     ///< gcloud's cannot
};

/// Those that are installed, and can reach this bed.
std::vector<Peer> installed_peers(const Bed& bed);

Program slipway_run(const Bed& bed, const std::string& command, const std::vector<std::string>& more = {});
/// Finds the workers and their keys, and starts nothing: what slipway asks of the API, and the start of the
/// process.
Program slipway_dry_run(const Bed& bed);
Program slipway_version(const Bed& bed);
/// `fan_out` none: as it comes.
Program peer_run(const Peer& peer, const Bed& bed, std::optional<std::size_t> fan_out,
                 const std::string& command);

}  // namespace slipway::bench
