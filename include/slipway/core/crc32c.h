#pragma once

#include <cstdint>
#include <string_view>

namespace slipway {

/// CRC-32C (Castagnoli, RFC 3720 section 12.1): what Cloud Storage keeps of every object. `begun` is the
/// result for the bytes before `bytes`, so that a stream can be summed up piece by piece.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t begun = 0);

}  // namespace slipway
