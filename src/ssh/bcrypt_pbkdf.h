#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipway::ssh {

/// The key derivation of encrypted openssh-key-v1 files (OpenBSD's bcrypt_pbkdf(3)): `size` bytes from a
/// passphrase and a salt, both not empty. 16 rounds, ssh-keygen's default, take about a tenth of a second.
std::string bcrypt_pbkdf(std::string_view passphrase, std::string_view salt, std::uint32_t rounds,
                         std::size_t size);

}  // namespace slipway::ssh
