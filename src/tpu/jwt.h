#pragma once

#include <string>

#include "slipway/core/json.h"
#include "slipway/core/result.h"
#include "slipway/core/secret.h"

namespace slipway::tpu {

/// A JSON Web Token (RFC 7519) signed with RS256: RSASSA-PKCS1-v1_5 over SHA-256 (RFC 7518 section 3.3).
/// Errors (kDenied): the PEM holds no RSA private key.
Result<Secret> sign_jwt(const Json& claims, const std::string& key_id, const Secret& private_key_pem);

/// SHA-256, as lower-case hex.
std::string sha256_hex(std::string_view bytes);

}  // namespace slipway::tpu
