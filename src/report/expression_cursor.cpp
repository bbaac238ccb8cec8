#include "report/expression_cursor.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_quote(char c) { return c == '\'' || c == '"'; }

/// The piece of a long text around `at`, so that the caret stands below its place on one line of a terminal.
struct Excerpt {
  std::string text;
  std::size_t caret;
};

Excerpt excerpt_around(std::string_view text, std::size_t at) {
  constexpr std::size_t kBefore = 40;
  constexpr std::size_t kLength = 64;
  std::size_t from = at > kBefore ? at - kBefore : 0;
  while (from > 0 && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80) --from;
  std::string before = printable(text.substr(from, at - from));
  std::string after = printable(text.substr(at, kLength - std::min(kLength, at - from)));
  if (from > 0) before = "..." + before;
  std::replace(before.begin(), before.end(), '\t', ' ');
  return {before + after, display_width(before)};
}

}  // namespace

bool ExpressionCursor::skip_blanks() {
  while (!at_end() && is_blank(text_[at_])) ++at_;
  return !at_end();
}

bool ExpressionCursor::take(char c) {
  if (peek() != c || at_end()) return false;
  ++at_;
  return true;
}

bool ExpressionCursor::at_word(std::string_view word) {
  skip_blanks();
  if (text_.substr(at_, word.size()) != word) return false;
  const std::size_t end = at_ + word.size();
  return end == text_.size() || is_blank(text_[end]) || text_[end] == '(';
}

bool ExpressionCursor::take_word(std::string_view word) {
  if (!at_word(word)) return false;
  at_ += word.size();
  return true;
}

Result<std::optional<std::string>> ExpressionCursor::word(std::string_view ends) {
  skip_blanks();
  const std::size_t begin = at_;
  std::optional<std::string> found;
  char quote = 0;
  std::size_t quoted_at = 0;
  for (; !at_end(); ++at_) {
    const char c = text_[at_];
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const bool backslash = c == '\\' && at_ + 1 < text_.size();
    if (!backslash && quote == 0 && (is_blank(c) || ends.find(c) != std::string_view::npos)) break;
    if (!found) found.emplace();
    if (backslash) {
      const bool escapes = next == '\\' || (quote != 0 ? next == quote : is_quote(next));
      *found += escapes ? std::string(1, next) : std::string{c, next};
      ++at_;
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && is_quote(c)) {
      quote = c;
      quoted_at = at_;
    } else {
      *found += c;
    }
  }
  if (quote == 0) return found;
  at_ = begin;
  return error(fmt::format("the quote {} is not closed", quote), quoted_at);
}

Error ExpressionCursor::error(const std::string& message, std::size_t at) const {
  const Excerpt shown = excerpt_around(text_, std::min(at, text_.size()));
  return Error(ErrorCode::kUsage, fmt::format("{}: {}", what_, message))
      .why(fmt::format("{}\n{}^", shown.text, std::string(shown.caret, ' ')));
}

}  // namespace slipway::report
