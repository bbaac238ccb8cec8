#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/text_pattern.h"
#include "slipway/report/filter.h"

namespace slipway::report {

/// A part of a filter that a document matches or not.
class Filter::Term {
 public:
  virtual ~Term() = default;
  virtual bool matches(const Json& document) const = 0;
};

using TermPointer = std::unique_ptr<Filter::Term>;

TermPointer both(TermPointer left, TermPointer right);
TermPointer either(TermPointer left, TermPointer right);
TermPointer negation(TermPointer term);
/// A bare word: some value of the document contains it, whatever its case.
TermPointer anywhere(std::string word);

enum class Operator { kHas, kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual, kMatch, kNoMatch };

/// What stands behind an operator, understood in all ways in which a value could be compared with it.
struct Operand {
  std::string text;
  std::optional<double> number;  ///< true and false count as 1 and 0
  bool is_truth = false;
  std::optional<std::chrono::system_clock::time_point> time;
  TextPattern pattern;
};

/// Reads `text` for `op`. Errors: words for a pattern that cannot be one.
Result<Operand> make_operand(Operator op, std::string text, std::chrono::system_clock::time_point now);
TermPointer comparison(FieldPath path, Operator op, std::vector<Operand> operands);

}  // namespace slipway::report
