#include "report/line_diff.h"

#include <algorithm>
#include <cstdint>

#include "slipway/core/format.h"

namespace slipway::report {
namespace {

using Lines = std::vector<std::string_view>;

/// A larger table is not worth its time: the stretch is then shown as replaced.
constexpr std::size_t kMostCells = std::size_t{4} << 20;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// The longest common subsequence of two stretches, as a table: at (i, j) its length from there to the ends.
class CommonLines {
 public:
  CommonLines(const Lines& before, const Lines& after) : width_(after.size() + 1) {
    if ((before.size() + 1) * width_ > kMostCells) return;
    lengths_.resize((before.size() + 1) * width_);
    for (std::size_t i = before.size(); i-- > 0;) {
      for (std::size_t j = after.size(); j-- > 0;) {
        at(i, j) = before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  bool known() const { return !lengths_.empty(); }
  /// Whether a shortest way from (i, j) leaves line i of the first out.
  bool first_goes(std::size_t i, std::size_t j) { return at(i + 1, j) >= at(i, j + 1); }

 private:
  std::uint32_t& at(std::size_t i, std::size_t j) { return lengths_[i * width_ + j]; }

  std::size_t width_;
  std::vector<std::uint32_t> lengths_;
};

class Difference {
 public:
  explicit Difference(std::size_t first_line) : line_(first_line) {}

  void same() {
    ++line_;
    apart_ = true;
  }
  void removed(std::string_view line) {
    head();
    lines_.push_back(fmt::format("- {}", line));
    ++line_;
  }
  void added(std::string_view line) {
    head();
    lines_.push_back(fmt::format("+ {}", line));
  }
  DiffLines take() { return std::move(lines_); }

 private:
  void head() {
    if (apart_) lines_.push_back(fmt::format("@@ line {} @@", line_));
    apart_ = false;
  }

  std::size_t line_;
  bool apart_ = true;
  DiffLines lines_;
};

DiffLines compare(const Lines& before, const Lines& after, std::size_t first_line) {
  Difference difference(first_line);
  CommonLines common(before, after);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (common.known() && i < before.size() && j < after.size() && before[i] == after[j]) {
      difference.same();
      ++i, ++j;
    } else if (i < before.size() && (j == after.size() || !common.known() || common.first_goes(i, j))) {
      difference.removed(before[i++]);
    } else {
      difference.added(after[j++]);
    }
  }
  return difference.take();
}

}  // namespace

std::optional<DiffLines> line_diff(std::string_view before, std::string_view after) {
  Lines from = lines_of(before);
  Lines to = lines_of(after);
  const std::size_t length = to.size();
  const auto head = std::mismatch(from.begin(), from.end(), to.begin(), to.end());
  const auto first_line = static_cast<std::size_t>(head.first - from.begin()) + 1;
  from.erase(from.begin(), head.first);
  to.erase(to.begin(), head.second);
  while (!from.empty() && !to.empty() && from.back() == to.back()) {
    from.pop_back();
    to.pop_back();
  }
  DiffLines lines = compare(from, to, first_line);
  if (lines.size() >= length) return std::nullopt;
  return lines;
}

}  // namespace slipway::report
