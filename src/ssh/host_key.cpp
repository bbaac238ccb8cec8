#include "slipway/ssh/host_key.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>

#include "slipway/core/text.h"
#include "ssh/evp.h"
#include "ssh/public_key.h"

namespace slipway::ssh {

std::string HostKey::fingerprint() const {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(unsigned_bytes(blob), blob.size(), digest.data());
  std::string text = base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
  while (!text.empty() && text.back() == '=') text.pop_back();
  return "SHA256:" + text;
}

HostKeyPins to_pins(const std::vector<PublishedHostKey>& published) {
  HostKeyPins pins;
  for (const PublishedHostKey& key : published) {
    auto blob = base64_decode(trim(key.base64));
    if (!blob || type_of_public_blob(*blob) != key.type) continue;
    HostKey pin{key.type, std::move(*blob)};
    if (std::find(pins.begin(), pins.end(), pin) == pins.end()) pins.push_back(std::move(pin));
  }
  return pins;
}

}  // namespace slipway::ssh
