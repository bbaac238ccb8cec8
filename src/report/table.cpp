#include "slipway/report/table.h"

#include <algorithm>
#include <cassert>

#include "slipway/core/text.h"

namespace slipway::report {
namespace {

using Row = std::vector<std::string>;

std::string clean(std::string_view cell) {
  std::string text = printable(cell);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

void append_row(std::string& text, const Row& row, const std::vector<std::size_t>& widths,
                std::size_t columns) {
  std::string line;
  for (std::size_t column = 0; column < row.size(); ++column) {
    line += row[column];
    line.append(widths[column] - display_width(row[column]) + 2, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  text += (columns > 0 ? shortened(line, columns) : line) + '\n';
}

}  // namespace

void Table::add_row(std::vector<std::string> cells) {
  assert(cells.size() == header_.size());
  std::transform(cells.begin(), cells.end(), cells.begin(), clean);
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::size_t columns) const {
  std::vector<Row> shown;
  if (show_header_) shown.push_back(header_);
  shown.insert(shown.end(), rows_.begin(), rows_.end());
  std::vector<std::size_t> widths(header_.size());
  for (Row& row : shown) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (row[column].empty()) row[column] = "-";
      widths[column] = std::max(widths[column], display_width(row[column]));
    }
  }
  std::string text;
  for (const Row& row : shown) append_row(text, row, widths, columns);
  return text;
}

std::string Table::values() const {
  std::string text;
  for (const Row& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (column > 0) text += '\t';
      text += row[column];
    }
    text += '\n';
  }
  return text;
}

}  // namespace slipway::report
