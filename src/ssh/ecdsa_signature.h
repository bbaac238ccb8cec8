#pragma once

#include <string>
#include <string_view>

namespace slipway::ssh {

/// An ECDSA signature as ssh has it (RFC 5656 section 3.1.2: two mpints) from the DER that OpenSSL makes;
/// empty for other bytes.
std::string ecdsa_signature_from_der(std::string_view der);

}  // namespace slipway::ssh
