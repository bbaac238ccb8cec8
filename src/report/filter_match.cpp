#include <charconv>
#include <cmath>

#include "report/filter_term.h"
#include "report/filter_time.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

class Both final : public Filter::Term {
 public:
  Both(TermPointer left, TermPointer right) : left_(std::move(left)), right_(std::move(right)) {}
  bool matches(const Json& document) const override {
    return left_->matches(document) && right_->matches(document);
  }

 private:
  TermPointer left_;
  TermPointer right_;
};

class Either final : public Filter::Term {
 public:
  Either(TermPointer left, TermPointer right) : left_(std::move(left)), right_(std::move(right)) {}
  bool matches(const Json& document) const override {
    return left_->matches(document) || right_->matches(document);
  }

 private:
  TermPointer left_;
  TermPointer right_;
};

class Negation final : public Filter::Term {
 public:
  explicit Negation(TermPointer term) : term_(std::move(term)) {}
  bool matches(const Json& document) const override { return !term_->matches(document); }

 private:
  TermPointer term_;
};

/// A number as people write it: no .0 behind a whole one. true and false are Python's words, for =~ as in
/// gcloud.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "null";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_number_float() && value.get<double>() == std::trunc(value.get<double>()))
    return dump_json(Json(static_cast<std::int64_t>(value.get<double>())));
  return dump_json(value);
}

std::optional<double> number_in(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  return value.is_string() ? number_in(value.get_ref<const std::string&>()) : std::nullopt;
}

std::optional<std::chrono::system_clock::time_point> time_of(const Json& value) {
  return value.is_string() ? parse_rfc3339(value.get_ref<const std::string&>()) : std::nullopt;
}

class Anywhere final : public Filter::Term {
 public:
  explicit Anywhere(std::string word) : word_(to_lower(word)) {}
  bool matches(const Json& document) const override {
    if (document.is_structured()) {
      for (const Json& value : document) {
        if (matches(value)) return true;
      }
      return false;
    }
    // As in gcloud: what is null, false, 0 or empty holds no word.
    if (document.is_null() || document == false || document == 0) return false;
    return to_lower(text_of(document)).find(word_) != std::string::npos;
  }

 private:
  std::string word_;
};

/// All items of nested lists, in one.
void flatten(const Json& value, std::vector<const Json*>& values) {
  if (!value.is_array() || value.empty()) {
    values.push_back(&value);
    return;
  }
  for (const Json& one : value) flatten(one, values);
}

class Comparison final : public Filter::Term {
 public:
  Comparison(FieldPath path, Operator op, std::vector<Operand> operands)
      : path_(std::move(path)), op_(op), operands_(std::move(operands)) {}

  /// A list matches when one of its items does, also for != and !~.
  bool matches(const Json& document) const override {
    const Json found = path_.find(document);
    std::vector<const Json*> values;
    flatten(found, values);
    for (const Json* value : values) {
      if (matches_value(*value)) return true;
    }
    return false;
  }

 private:
  bool matches_value(const Json& value) const {
    switch (op_) {
      case Operator::kHas:
      case Operator::kEqual:
        return is_one_of(value);
      case Operator::kNotEqual:
        return !is_one_of(value);
      case Operator::kMatch:
        return value.is_structured() ? false : operands_.front().pattern(text_to_match(value));
      case Operator::kNoMatch:
        return value.is_structured() ? false : !operands_.front().pattern(text_to_match(value));
      default:
        return is_ordered(value, operands_.front());
    }
  }

  static std::string text_to_match(const Json& value) { return value.is_null() ? "" : text_of(value); }

  bool is_one_of(const Json& value) const {
    for (const Operand& operand : operands_) {
      if (is(value, operand)) return true;
    }
    return false;
  }

  /// An object is what one of its keys or one of its values is; ':' looks deeper.
  bool is(const Json& value, const Operand& operand) const {
    if (value.is_structured()) {
      for (const auto& entry : value.items()) {
        if (value.is_object() && is(Json(entry.key()), operand)) return true;
        if ((op_ == Operator::kHas || !entry.value().is_structured()) && is(entry.value(), operand))
          return true;
      }
      return false;
    }
    if (value.is_null() && (operand.text.empty() || operand.text == "*")) return operand.text.empty();
    if (op_ != Operator::kHas && operand.time && time_of(value) == operand.time) return true;
    if (operand.number && !value.is_null() && number_of(value) == operand.number) return true;
    return operand.pattern(text_of(value));
  }

  bool is_ordered(const Json& value, const Operand& operand) const {
    if (value.is_structured()) return false;
    const auto time = operand.time ? time_of(value) : std::nullopt;
    if (time) return holds(*time < *operand.time, *time == *operand.time);
    const auto number = operand.number && !value.is_null() ? number_of(value) : std::nullopt;
    if (number) return holds(*number < *operand.number, *number == *operand.number);
    const std::string text = text_to_match(value);
    return holds(text < operand.text, text == operand.text);
  }

  bool holds(bool less, bool equal) const {
    switch (op_) {
      case Operator::kLess:
        return less;
      case Operator::kLessEqual:
        return less || equal;
      case Operator::kGreater:
        return !less && !equal;
      default:
        return !less;
    }
  }

  FieldPath path_;
  Operator op_;
  std::vector<Operand> operands_;
};

}  // namespace

TermPointer both(TermPointer left, TermPointer right) {
  return std::make_unique<Both>(std::move(left), std::move(right));
}
TermPointer either(TermPointer left, TermPointer right) {
  return std::make_unique<Either>(std::move(left), std::move(right));
}
TermPointer negation(TermPointer term) { return std::make_unique<Negation>(std::move(term)); }
TermPointer anywhere(std::string word) { return std::make_unique<Anywhere>(std::move(word)); }

Result<Operand> make_operand(Operator op, std::string text, std::chrono::system_clock::time_point now) {
  Operand operand;
  const std::string lower = to_lower(text);
  operand.number = lower == "true" ? 1 : lower == "false" ? 0 : number_in(text);
  operand.time = parse_filter_time(text, now);
  if (op == Operator::kHas) {
    TRY(operand.pattern, containing(text));
  } else if (op == Operator::kMatch || op == Operator::kNoMatch) {
    TRY(operand.pattern, matching(text));
  } else {
    operand.pattern = equal_to(text);
  }
  operand.text = std::move(text);
  return operand;
}

TermPointer comparison(FieldPath path, Operator op, std::vector<Operand> operands) {
  return std::make_unique<Comparison>(std::move(path), op, std::move(operands));
}

}  // namespace slipway::report
