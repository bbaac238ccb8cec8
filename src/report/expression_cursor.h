#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway::report {

/// Reads the words of a filter, a list of fields or a sort order. Quoting is gcloud's: ' and " anywhere in a
/// word, \ before either of them or before itself.
class ExpressionCursor {
 public:
  /// `what` begins every error: "--filter".
  ExpressionCursor(std::string what, std::string_view text) : what_(std::move(what)), text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  /// Passes blanks; false at the end.
  bool skip_blanks();
  /// The character here, not passed; 0 at the end.
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  /// Passes the character here if it is `c`.
  bool take(char c);
  /// Passes blanks and `word`, if a blank, "(" or the end follows it.
  bool take_word(std::string_view word);
  bool at_word(std::string_view word);

  /// Passes blanks, then reads up to an unquoted blank or a character of `ends`. Nothing when no word stands
  /// here; "" for an empty pair of quotes. Errors: a quote that is not closed.
  Result<std::optional<std::string>> word(std::string_view ends);

  std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }
  std::string_view between(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }
  /// kUsage, with the text and a caret below the place `at`.
  Error error(const std::string& message, std::size_t at) const;
  Error error(const std::string& message) const { return error(message, at_); }

 private:
  std::string what_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace slipway::report
