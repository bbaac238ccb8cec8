#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/ssh/host_key.h"

namespace slipway::ssh {

/// Host keys of machines by an alias that is theirs alone (never an address: addresses are used again). The
/// file has the form of OpenSSH's known_hosts, so that ssh itself can be pointed at it.
class KnownKeys {
 public:
  struct Entry {
    std::string alias;
    HostKey key;
  };

  /// Reads `path`; a missing file is an empty one, and so is no path. Lines that cannot be read are left
  /// alone. Errors (kLocal): unreadable, or open to be written by others.
  static Result<KnownKeys> load(std::string path);

  /// The keys of one machine; empty for a stranger.
  HostKeyPins find(const std::string& alias) const;

  /// Adds what is not there yet and takes out the aliases that `outdated` names. Under a lock, from what the
  /// file holds by then, and in one step: a reader sees the old file or the new one. Mode 0600. Errors:
  /// kLocal.
  Result<void> update(const std::vector<Entry>& added,
                      const std::function<bool(std::string_view alias)>& outdated);

  const std::string& path() const { return path_; }

 private:
  void read(std::string_view text);

  std::string path_;
  std::multimap<std::string, std::string> lines_;  ///< alias -> "ssh-ed25519 AAAA.."
};

}  // namespace slipway::ssh
