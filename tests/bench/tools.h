#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace slipway::bench {

/// The workers that all clients run on, as each of them wants to be told.
struct Bed {
  std::string slipway;   ///< the program
  std::string resource;  ///< the queued resource
  std::string hosts;     ///< a file with one address a line
  std::string
      ssh_config;  ///< for clients that start ssh: port, user, key, and the algorithms that slipway uses
  std::size_t workers = 0;
};

/// A client that starts an ssh for each worker.
struct Peer {
  std::string name;     ///< "pdsh"
  std::string program;  ///< what must be in PATH
  std::size_t fan_out;  ///< its default limit on running commands
};

/// Those that are installed.
std::vector<Peer> installed_peers();

Program slipway_run(const Bed& bed, const std::string& command);
/// Finds the workers and their keys, and starts nothing: what slipway asks of the API, and the start of the
/// process.
Program slipway_dry_run(const Bed& bed);
Program slipway_version(const Bed& bed);
/// `fan_out` none: as it comes.
Program peer_run(const Peer& peer, const Bed& bed, std::optional<std::size_t> fan_out,
                 const std::string& command);

}  // namespace slipway::bench
