#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slipway::ssh {

/// Reads ssh's own data types (RFC 4251 section 5) from hostile bytes. Past the end every read is empty, and
/// stays so.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  std::optional<std::uint8_t> byte();
  std::optional<std::uint32_t> uint32();
  std::optional<std::string_view> string();
  /// `count` raw bytes.
  std::optional<std::string_view> raw(std::size_t count);
  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

std::string wire_uint32(std::uint32_t value);
std::string wire_string(std::string_view bytes);
/// A number that is not negative, from its big-endian bytes: no leading zeros but the one that keeps the
/// sign.
std::string wire_mpint(std::string_view big_endian);

}  // namespace slipway::ssh
