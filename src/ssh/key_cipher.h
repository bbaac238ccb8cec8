#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway::ssh {

/// How an openssh-key-v1 file is encrypted: "aes256-ctr" with "bcrypt", a salt and a number of rounds.
struct KeyCipher {
  std::string_view cipher;
  std::string_view derivation;
  std::string_view salt;
  std::uint32_t rounds = 0;
};

/// The private section of such a file in the clear; `tag` is what an authenticating cipher put behind it.
/// With a wrong passphrase the answer is other bytes (or kDenied for a cipher that notices). Errors (kUsage):
/// a cipher or a derivation that we do not know.
Result<std::string> decrypt(const KeyCipher& how, std::string_view passphrase, std::string_view section,
                            std::string_view tag);

}  // namespace slipway::ssh
