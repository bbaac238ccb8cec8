#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/result.h"

namespace slipway {

/// Which slices, or which workers of a slice: "all", "0", "1,4-6", a slice's name, "!3", and lists of these.
/// A list that begins with an exclusion starts from all.
class Selection {
 public:
  /// Errors (kUsage): what cannot be read, with what can.
  static Result<Selection> parse(std::string_view text);
  static Selection all() { return Selection(); }

  /// The chosen positions of `names`, ascending, each once. `what` ("slice", "worker") names them in the
  /// error (kUsage): an index or a name that is not there, or a choice of nothing.
  Result<std::vector<std::size_t>> apply(const std::vector<std::string>& names, std::string_view what) const;
  /// The same for things that have no names: workers 0 to count-1.
  Result<std::vector<std::size_t>> apply(std::size_t count, std::string_view what) const;

 private:
  struct Term {
    bool exclude = false;
    bool everything = false;
    std::string name;  ///< a slice's name; empty for a range
    std::size_t first = 0;
    std::size_t last = 0;
  };
  std::vector<Term> terms_;
  std::string text_ = "all";
};

/// How many must be ready before anything starts, and must end well: all, any, N or N%.
class Requirement {
 public:
  static Result<Requirement> parse(std::string_view text);
  static Requirement all() { return Requirement(); }
  /// The number out of `total` that satisfies it: at least 1, at most `total` (a larger N stays: it cannot be
  /// met).
  std::size_t of(std::size_t total) const;
  bool is_all() const { return kind_ == Kind::kAll; }
  const std::string& text() const { return text_; }

 private:
  enum class Kind { kAll, kAny, kCount, kPercent };
  Kind kind_ = Kind::kAll;
  std::size_t number_ = 0;
  std::string text_ = "all";
};

}  // namespace slipway
