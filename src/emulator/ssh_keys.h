#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::emulator {

/// One line of the `ssh-keys` metadata: who may log in with which key.
struct SshKey {
  std::string user;
  std::string key;  ///< "ssh-ed25519 AAAA... comment": a line of an authorized_keys file
};

/// Reads the value of `ssh-keys`: lines "USER:TYPE DATA COMMENT". As the guest agent does, lines that cannot
/// be read, names that no user can have, and keys whose `google-ssh {"expireOn": ...}` comment lies before
/// `now` are left out.
std::vector<SshKey> parse_ssh_keys(std::string_view metadata, std::chrono::system_clock::time_point now);

}  // namespace slipway::emulator
