#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway {
namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  ///< bytes; 0 when the bytes are not UTF-8
};

/// The code point at the start of `text`, refusing overlong forms, surrogates and what lies past U+10FFFF.
CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
  char32_t value = first & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3f);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return {};
  return {value, length};
}

/// Controls that a terminal or a reader's eye obeys: C0 but tab, DEL, C1, and the marks that turn text round.
bool commands_a_terminal(char32_t c) {
  if (c == '\t') return false;
  if (c < 0x20 || (c >= 0x7f && c <= 0x9f)) return true;
  return c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode(text);
    const std::size_t length = point.length == 0 ? 1 : point.length;
    if (point.length == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (point.value < 0x20 && point.value != '\t') {
      shown += {'^', static_cast<char>(point.value + '@')};
    } else if (commands_a_terminal(point.value)) {
      shown += point.value == 0x7f ? std::string("^?")
                                   : fmt::format("<U+{:04X}>", static_cast<unsigned>(point.value));
    } else {
      shown.append(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return shown;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = decode(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return width;
}

}  // namespace slipway
