#include "slipway/core/random.h"

#include <sys/random.h>

#include <array>
#include <memory>
#include <random>

#include "slipway/core/format.h"

namespace slipway {

std::string make_uuid() {
  std::array<unsigned char, 16> bytes{};
  // 16 bytes come whole: getrandom(2) promises it for up to 256 once the pool is ready, and it waits for
  // that.
  while (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
  }
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

RandomUnit system_random_unit() {
  auto engine =
      std::make_shared<std::mt19937_64>(std::random_device{}());  // copied with the function: one sequence
  return [engine] { return std::uniform_real_distribution<double>(0, 1)(*engine); };
}

}  // namespace slipway
