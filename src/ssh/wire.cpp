#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

std::uint8_t to_byte(char c) { return static_cast<std::uint8_t>(c); }

}  // namespace

std::optional<std::string_view> WireReader::raw(std::size_t count) {
  if (count > rest_.size()) {
    rest_ = {};
    return std::nullopt;
  }
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

std::optional<std::uint8_t> WireReader::byte() {
  const auto one = raw(1);
  if (!one) return std::nullopt;
  return to_byte((*one)[0]);
}

std::optional<std::uint32_t> WireReader::uint32() {
  const auto four = raw(4);
  if (!four) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : *four) value = value << 8 | to_byte(c);
  return value;
}

std::optional<std::string_view> WireReader::string() {
  const auto size = uint32();
  if (!size) return std::nullopt;
  return raw(*size);
}

std::string wire_uint32(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

std::string wire_string(std::string_view bytes) {
  return wire_uint32(static_cast<std::uint32_t>(bytes.size())).append(bytes);
}

std::string wire_mpint(std::string_view big_endian) {
  const std::size_t first = big_endian.find_first_not_of('\0');
  if (first == std::string_view::npos) return wire_string("");
  big_endian.remove_prefix(first);
  std::string number = (to_byte(big_endian[0]) & 0x80) != 0 ? std::string(1, '\0') : std::string();
  return wire_string(number.append(big_endian));
}

}  // namespace slipway::ssh
