#include "slipway/report/worker_grid.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

using Place = RunProgress::Place;

struct Look {
  char letter;
  int color;  ///< SGR; never the only sign
  int worse;  ///< of several workers in one cell the one with the largest number is shown
};

Look look_of(Place place) {
  switch (place) {
    case RunProgress::kWaiting:
      return {'.', 0, 4};
    case RunProgress::kConnecting:
      return {'c', 36, 3};
    case RunProgress::kReady:
      return {'=', 34, 2};
    case RunProgress::kRunning:
      return {'r', 33, 1};
    case RunProgress::kOk:
      return {'o', 32, 0};
    case RunProgress::kFailed:
      return {'F', 31, 6};
    case RunProgress::kCutOff:
      return {'X', 35, 7};
    case RunProgress::kNotStarted:
    case RunProgress::kPlaces:
      break;
  }
  return {'-', 31, 5};
}

/// Neighbours that belong together: a slice, or all workers when there are more slices than rows.
struct Block {
  std::size_t first = 0;
  std::size_t count = 0;
};

std::vector<Block> slices_of(const std::vector<fleet::Target>& targets) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i == 0 || targets[i].slice != targets[i - 1].slice) blocks.push_back({i, 0});
    ++blocks.back().count;
  }
  return blocks;
}

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// How a grid fits: `rows` lines for each block, `cells` in each line, `workers` in each cell.
struct Layout {
  std::vector<Block> blocks;
  std::size_t label = 0;
  std::size_t rows = 1;
  std::size_t cells = 1;
  std::size_t workers = 1;
};

std::size_t longest_label(const std::vector<fleet::Target>& targets) {
  std::size_t longest = 0;
  for (const fleet::Target& target : targets)
    longest = std::max(longest, display_width(printable(target.label())));
  return longest;
}

Layout fit(const std::vector<fleet::Target>& targets, std::size_t rows, std::size_t columns) {
  Layout layout;
  layout.blocks = slices_of(targets);
  if (layout.blocks.size() > rows) layout.blocks = {{0, targets.size()}};
  std::size_t largest = 0;
  for (const Block& block : layout.blocks) largest = std::max(largest, block.count);
  layout.label = longest_label(targets);
  if (layout.label + 10 > columns) layout.label = 0;  // no room for names
  const std::size_t width = columns - (layout.label > 0 ? layout.label + 1 : 0);
  const std::size_t most_rows = std::max<std::size_t>(1, rows / layout.blocks.size());
  layout.workers = divide_up(largest, width * most_rows);
  const std::size_t cells = divide_up(largest, layout.workers);
  layout.rows = divide_up(cells, width);
  layout.cells = divide_up(cells, layout.rows);
  return layout;
}

class CellPainter {
 public:
  CellPainter(const RunProgress& progress, bool color) : progress_(progress), color_(color) {}

  /// The cells of the workers from `first` up to `last`. Neighbours of one colour share its sequence.
  void paint(StyledLine& line, std::size_t first, std::size_t last, std::size_t workers_in_cell) const {
    std::string same;
    int color = 0;
    for (; first < last; first += workers_in_cell) {
      const Look look = worst(first, std::min(first + workers_in_cell, last));
      if (look.color != color) flush(line, same, color);
      color = look.color;
      same += look.letter;
    }
    flush(line, same, color);
  }

 private:
  Look worst(std::size_t first, std::size_t last) const {
    Look worst = look_of(progress_.place(first));
    while (++first < last) {
      const Look look = look_of(progress_.place(first));
      if (look.worse > worst.worse) worst = look;
    }
    return worst;
  }
  void flush(StyledLine& line, std::string& same, int color) const {
    if (!same.empty()) line.add(same, color_ ? color : 0);
    same.clear();
  }

  const RunProgress& progress_;
  bool color_;
};

/// "1m04s  c 12 connecting  r 240 running  o 4 ok", as many of these as fit.
StyledLine counts_line(const RunProgress& progress, Clock::duration elapsed, std::size_t workers_in_cell,
                       std::size_t columns, bool color) {
  StyledLine line;
  line.add(say_seconds(elapsed));
  const auto add = [&](const std::string& text, int sgr) {
    if (line.width + 2 + text.size() > columns) return;
    line.add("  ");
    line.add(text, sgr);
  };
  for (int i = 0; i < RunProgress::kPlaces; ++i) {
    const auto place = static_cast<Place>(i);
    if (progress.count(place) == 0) continue;
    const Look look = look_of(place);
    add(fmt::format("{} {} {}", look.letter, progress.count(place), to_string(place)),
        color ? look.color : 0);
  }
  if (workers_in_cell > 1) add(fmt::format("1 letter = {} workers", workers_in_cell), 0);
  line.text.resize(line.width > columns ? columns : line.text.size());
  line.width = std::min(line.width, columns);
  return line;
}

}  // namespace

std::vector<StyledLine> draw_grid(const std::vector<fleet::Target>& targets, const RunProgress& progress,
                                  Clock::duration elapsed, TerminalSize size, GridStyle style) {
  const auto columns = static_cast<std::size_t>(std::max(size.columns - 1, 1));
  const bool only_counts = style.rows < 2 || targets.size() < 2 || columns < 2;
  if (only_counts) return {counts_line(progress, elapsed, 1, columns, style.color)};

  const Layout layout = fit(targets, static_cast<std::size_t>(style.rows - 1), columns);
  std::vector<StyledLine> lines{counts_line(progress, elapsed, layout.workers, columns, style.color)};
  const CellPainter painter(progress, style.color);
  for (const Block& block : layout.blocks) {
    const std::size_t end = block.first + block.count;
    for (std::size_t row = 0, first = block.first; row < layout.rows && first < end; ++row) {
      const std::size_t last = std::min(end, first + layout.cells * layout.workers);
      StyledLine line;
      if (layout.label > 0) {
        const std::string label =
            layout.blocks.size() > 1 && row == 0 ? targets[first].slice : targets[first].label();
        line.add(fmt::format("{:{}} ", printable(label), layout.label));
      }
      painter.paint(line, first, last, layout.workers);
      lines.push_back(std::move(line));
      first = last;
    }
  }
  return lines;
}

}  // namespace slipway::report
