#pragma once

#include <string>
#include <vector>

#include "slipway/ssh/host_key.h"

namespace slipway::cli {

/// One call of the system's ssh.
struct SshWords {
  std::string user;
  std::string address;
  int port = 22;
  std::string key_path;  ///< empty: whatever the agent has
  std::string alias;     ///< the machine's name among the host keys
  ssh::HostKeyPins pins;
  bool has_passphrase_file = false;  ///< what answers ssh's questions knows the key's passphrase alone
  bool accept_new = false;           ///< without pins: the first key that is shown is kept in known_hosts
  std::string known_hosts;           ///< the file with the pins, or for them
  std::string proxy_command;         ///< for ssh's ProxyCommand; empty for none
  std::vector<std::string> more;     ///< ssh's own flags, or a command
};

/// argv for execvp: nothing but the pinned keys are negotiated and believed, and the machine is never known
/// by its address.
std::vector<std::string> to_words(const SshWords& call);

/// The content of a known_hosts file for the pins.
std::string known_hosts_text(const std::string& alias, const ssh::HostKeyPins& pins);

}  // namespace slipway::cli
