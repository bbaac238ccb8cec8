#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ssh/evp.h"

namespace slipway::ssh {

/// One of the curves of RFC 5656, by its names in the three worlds that meet here.
struct Curve {
  std::string_view type;     ///< "ecdsa-sha2-nistp256"
  std::string_view name;     ///< "nistp256"
  std::string_view openssl;  ///< "prime256v1"
  std::size_t bytes;         ///< of a coordinate
  const char* digest;
};
/// The curve of a key type; nothing for a type that is not ECDSA.
const Curve* curve_of_type(std::string_view type);

/// The ssh type of a key, by what OpenSSL says of it; empty for one that we do not use.
std::string key_type(const EVP_PKEY& key);
/// The wire form of its public half (RFC 4253 section 6.6, RFC 5656 section 3.1, RFC 8709 section 4).
std::string public_key_blob(const EVP_PKEY& key);

/// The type of a whole, well-formed public key in wire form; nothing for any other bytes.
std::optional<std::string> type_of_public_blob(std::string_view blob);

}  // namespace slipway::ssh
