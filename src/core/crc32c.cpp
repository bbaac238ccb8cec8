#include "slipway/core/crc32c.h"

#include <array>

namespace slipway {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;  // 0x1EDC6F41 with its bits turned round
constexpr std::size_t kStride = 8;

using Table = std::array<std::array<std::uint32_t, 256>, kStride>;

// Row n is what a byte does to the sum when n more bytes follow it: eight are looked up at once.
constexpr Table make_table() {
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? sum >> 1 ^ kPolynomial : sum >> 1;
    table[0][byte] = sum;
  }
  for (std::size_t row = 1; row < kStride; ++row) {
    for (std::size_t byte = 0; byte < 256; ++byte)
      table[row][byte] = table[row - 1][byte] >> 8 ^ table[0][table[row - 1][byte] & 255];
  }
  return table;
}

constexpr Table kTable = make_table();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t begun) {
  std::uint32_t sum = ~begun;
  for (; bytes.size() >= kStride; bytes.remove_prefix(kStride)) {
    for (std::size_t i = 0; i < 4; ++i) sum ^= byte_at(bytes, i) << 8 * i;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 4; ++i) next ^= kTable[kStride - 1 - i][sum >> 8 * i & 255];
    for (std::size_t i = 4; i < kStride; ++i) next ^= kTable[kStride - 1 - i][byte_at(bytes, i)];
    sum = next;
  }
  for (const char c : bytes) sum = sum >> 8 ^ kTable[0][(sum ^ static_cast<unsigned char>(c)) & 255];
  return ~sum;
}

}  // namespace slipway
