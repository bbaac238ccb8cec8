#include "emulator/digest.h"

#include <openssl/evp.h>

#include "slipway/core/crc32c.h"
#include "slipway/core/text.h"

namespace slipway::emulator {

std::string md5_text(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_md5(), nullptr) != 1) return "";
  return base64_encode({reinterpret_cast<const char*>(digest), size});
}

std::string crc32c_text(std::string_view bytes) {
  const std::uint32_t sum = crc32c(bytes);
  std::string big_endian;
  for (int shift = 24; shift >= 0; shift -= 8) big_endian += static_cast<char>(sum >> shift & 255);
  return base64_encode(big_endian);
}

}  // namespace slipway::emulator
