#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "slipway/core/streams.h"

namespace slipway::report {

/// A line for a terminal: its bytes, colours included, and how many columns they take.
struct StyledLine {
  std::string text;
  std::size_t width = 0;

  void add(std::string_view plain);
  /// `color` is the number of an SGR sequence (31 is red); 0 for none.
  void add(std::string_view plain, int color);
};

/// The last lines of a terminal, drawn again and again in place. These are the bytes for it: no mode of the
/// terminal is changed (no other screen, no hidden cursor), so whatever ends us leaves the terminal usable.
class ScreenRegion {
 public:
  /// Turns what is shown into `lines`. Each is narrower than the terminal, and there are fewer of them than
  /// it has rows; else the terminal would scroll under us.
  std::string draw(const std::vector<StyledLine>& lines, TerminalSize size);
  /// Takes all of it away: the cursor then stands where it stood before the first draw.
  std::string erase(TerminalSize size);
  /// What is shown is not ours to change any more.
  void forget() { shown_.clear(); }
  bool shown() const { return !shown_.empty(); }

 private:
  std::size_t rows_above_cursor(TerminalSize size) const;

  std::vector<StyledLine> shown_;
  TerminalSize size_;
};

}  // namespace slipway::report
