#include "slipway/report/screen_region.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

// All of these since the VT100.
constexpr std::string_view kClearRestOfLine = "\x1b[K";
constexpr std::string_view kClearBelow = "\x1b[J";

std::string to_first_line(std::size_t rows_up) {
  return rows_up == 0 ? "\r" : fmt::format("\r\x1b[{}A", rows_up);
}

}  // namespace

void StyledLine::add(std::string_view plain) {
  text += plain;
  width += display_width(plain);
}

void StyledLine::add(std::string_view plain, int color) {
  if (color == 0) return add(plain);
  text += fmt::format("\x1b[{}m{}\x1b[0m", color, plain);
  width += display_width(plain);
}

std::string ScreenRegion::draw(const std::vector<StyledLine>& lines, TerminalSize size) {
  const bool resized = size.columns != size_.columns || size.rows != size_.rows;
  std::string bytes = shown() ? to_first_line(rows_above_cursor(size)) : "";
  if (shown() && resized) bytes += kClearBelow;  // lines that a narrower terminal has wrapped
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) bytes += '\n';
    const bool last = i + 1 == lines.size();  // the cursor stays at its end
    if (!last && !resized && i < shown_.size() && shown_[i].text == lines[i].text) continue;
    bytes += lines[i].text;
    bytes += kClearRestOfLine;
  }
  if (lines.size() < shown_.size()) bytes += kClearBelow;
  shown_ = lines;
  size_ = size;
  return bytes;
}

std::string ScreenRegion::erase(TerminalSize size) {
  if (!shown()) return "";
  std::string bytes = to_first_line(rows_above_cursor(size));
  bytes += kClearBelow;
  shown_.clear();
  return bytes;
}

/// A terminal that became narrower has wrapped our lines (tmux, VTE, kitty and others do): each takes several
/// rows.
std::size_t ScreenRegion::rows_above_cursor(TerminalSize size) const {
  const auto columns = static_cast<std::size_t>(std::max(size.columns, 1));
  std::size_t rows = 0;
  for (const StyledLine& line : shown_)
    rows += std::max<std::size_t>(1, (line.width + columns - 1) / columns);
  return std::min(rows, static_cast<std::size_t>(std::max(size.rows, 1))) - 1;
}

}  // namespace slipway::report
