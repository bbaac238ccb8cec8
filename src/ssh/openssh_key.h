#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slipway/core/result.h"
#include "ssh/evp.h"

namespace slipway::ssh {

/// What a private key file's bytes can be told from.
constexpr std::string_view kOpensshBegin = "-----BEGIN OPENSSH PRIVATE KEY-----";

/// The key in the text of an openssh-key-v1 file (OpenSSH's PROTOCOL.key), with all CRT members for RSA.
/// Errors: kDenied where `passphrase` does not open it, kUsage for one that is damaged, of several keys or of
/// a type that we do not use.
Result<EvpKey> parse_openssh_key(std::string_view text, std::string_view passphrase = "");

/// The public half, which such a file has in the clear also when it is encrypted; nothing for other text.
std::optional<std::string> public_blob_of_openssh_key(std::string_view text);

/// Whether the file needs a passphrase.
bool is_encrypted_openssh_key(std::string_view text);

/// The text of such a file, without a passphrase, for an ed25519 key.
std::string write_openssh_key(const EVP_PKEY& ed25519, const std::string& comment);

}  // namespace slipway::ssh
