#pragma once

#include <string>
#include <vector>

namespace slipway::report {

/// Rows of text under a header. Cells come from servers: nothing in one can command a terminal or start a new
/// row.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

  /// As many cells as the header has. An empty cell is shown as "-" by text().
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  /// For people: columns as wide as their widest cell, two blanks apart, no blanks at the ends of lines.
  /// Lines that are longer than `columns` (0: no limit) end in "..." there instead of going on in the next
  /// line.
  std::string text(std::size_t columns = 0) const;
  /// Without the line of headings.
  void hide_header() { show_header_ = false; }
  /// --format value: no header, cells separated by one tab, empty cells empty.
  std::string values() const;

 private:
  std::vector<std::string> header_;
  bool show_header_ = true;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace slipway::report
