#pragma once

#include <string>

#include "slipway/ssh/host_key.h"

namespace slipway::ssh {

// What we offer and accept: nothing with SHA-1, and no chacha20-poly1305 (libssh2 1.11.1 underflows on its
// short packets, GHSA-x4g5-mgfc-cxvv). The cheapest first: AES-GCM, curve25519.
constexpr const char* kKeyExchanges =
    "curve25519-sha256,curve25519-sha256@libssh.org,ecdh-sha2-nistp256,ecdh-sha2-nistp384,ecdh-sha2-nistp521";
constexpr const char* kCiphers = "aes128-gcm@openssh.com,aes256-gcm@openssh.com,aes128-ctr,aes256-ctr";
constexpr const char* kMacs = "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,hmac-sha2-256";

/// The host key algorithms for keys of the pinned types, in the pins' order: a server that cannot show a
/// pinned key then fails the negotiation. Without pins, all that we take.
std::string host_key_algorithms(const HostKeyPins& pins);

}  // namespace slipway::ssh
