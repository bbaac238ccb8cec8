#include <algorithm>
#include <iterator>

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

struct Range {
  char32_t first;
  char32_t last;
};
// Unicode 15, the blocks that matter: combining marks and joiners take no column (general category Mn, Me,
// Cf), and what East Asian Width calls W or F takes two.
constexpr Range kNoColumn[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},  {0x0610, 0x061a},
                               {0x064b, 0x065f}, {0x0900, 0x0902}, {0x0e34, 0x0e3a},  {0x0e47, 0x0e4e},
                               {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},  {0x20d0, 0x20f0},
                               {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef}};
constexpr Range kTwoColumns[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2e80, 0x303e},  {0x3041, 0x33ff},   {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},  {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](const Range& range) { return c >= range.first && c <= range.last; });
}

std::size_t columns_of(char32_t c) {
  if (c < 0x300) return 1;
  if (is_in(kNoColumn, c)) return 0;
  return is_in(kTwoColumns, c) ? 2 : 1;
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
  while (!text.empty()) {
    const CodePoint point = decode(text);
    width += point.length == 0 ? 1 : columns_of(point.value);
    text.remove_prefix(std::max<std::size_t>(point.length, 1));
  }
  return width;
}

std::string shortened(std::string_view text, std::size_t columns) {
  constexpr std::string_view kMore = "...";
  if (display_width(text) <= columns) return std::string(text);
  if (columns <= kMore.size()) return std::string(kMore.substr(0, columns));
  std::size_t end = 0;
  for (std::size_t width = 0; end < text.size();) {
    const CodePoint point = decode(text.substr(end));
    width += point.length == 0 ? 1 : columns_of(point.value);
    if (width > columns - kMore.size()) break;
    end += std::max<std::size_t>(point.length, 1);
  }
  return std::string(text.substr(0, end)).append(kMore);
}

}  // namespace slipway
