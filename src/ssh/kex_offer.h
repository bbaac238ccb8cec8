#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slipway::ssh {

/// What a server offers in its KEXINIT (RFC 4253 section 7.1), as comma-separated names.
struct KexOffer {
  std::string key_exchanges;
  std::string host_keys;
  std::string ciphers;  ///< from the client to the server, as the macs
  std::string macs;
};

/// The offer in the first bytes that a server sent (its banner and its first packet, both in the clear);
/// nothing while these are not whole. It is there to explain a failed negotiation, of which libssh2 says only
/// that it failed.
std::optional<KexOffer> read_kex_offer(std::string_view first_bytes);

/// Is there a name in both lists?
bool have_common_name(std::string_view one, std::string_view other);

}  // namespace slipway::ssh
