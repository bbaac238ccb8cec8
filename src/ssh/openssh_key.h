#pragma once

#include <string_view>

#include "slipway/core/result.h"
#include "ssh/evp.h"

namespace slipway::ssh {

/// What a private key file's bytes can be told from.
constexpr std::string_view kOpensshBegin = "-----BEGIN OPENSSH PRIVATE KEY-----";

/// The key in the text of an openssh-key-v1 file (OpenSSH's PROTOCOL.key), with all CRT members for RSA.
/// Errors: kDenied for one with a passphrase, kUsage for one that is damaged, of several keys or of a type
/// that we do not use.
Result<EvpKey> parse_openssh_key(std::string_view text);

}  // namespace slipway::ssh
