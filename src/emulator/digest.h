#pragma once

#include <string>
#include <string_view>

namespace slipway::emulator {

/// As Cloud Storage writes them: base64 of the MD5, and of the CRC-32C with its highest byte first.
std::string md5_text(std::string_view bytes);
std::string crc32c_text(std::string_view bytes);

}  // namespace slipway::emulator
