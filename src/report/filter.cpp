#include "slipway/report/filter.h"

#include <array>

#include "report/expression_cursor.h"
#include "report/filter_term.h"
#include "slipway/core/format.h"

namespace slipway::report {
namespace {

// A key or a bare word ends before one of these.
constexpr std::string_view kOperatorCharacters = ":=!<>~()";
constexpr int kMostNesting = 64;

constexpr std::array<std::pair<std::string_view, Operator>, 9> kOperators = {{
    {"!=", Operator::kNotEqual},
    {"!~", Operator::kNoMatch},
    {"<=", Operator::kLessEqual},
    {">=", Operator::kGreaterEqual},
    {":", Operator::kHas},
    {"=", Operator::kEqual},
    {"<", Operator::kLess},
    {">", Operator::kGreater},
    {"~", Operator::kMatch},
}};

bool is_logical(std::string_view word) { return word == "AND" || word == "OR" || word == "NOT"; }

/// Reads a filter from left to right; each function reads one kind of part, the loosest binding first.
class FilterParser {
 public:
  FilterParser(std::string_view text, std::chrono::system_clock::time_point now, const Aliases& aliases)
      : cursor_("--filter", text), now_(now), aliases_(aliases) {}

  Result<TermPointer> read_all() {
    TRY(TermPointer term, read_terms());
    if (cursor_.skip_blanks()) return cursor_.error("this ')' closes nothing");
    return term;
  }

  std::vector<FieldPath> take_fields() { return std::move(fields_); }
  bool is_blank() { return !cursor_.skip_blanks(); }

 private:
  /// Terms side by side: a b.
  Result<TermPointer> read_terms() {
    TRY(TermPointer terms, read_chain());
    while (cursor_.skip_blanks() && cursor_.peek() != ')') {
      TRY(TermPointer next, read_chain());
      terms = both(std::move(terms), std::move(next));
    }
    return terms;
  }

  /// a AND b AND c, or a OR b OR c. gcloud reads OR before AND where everybody else reads AND first, and so
  /// refuses a mixture without parentheses; so do we.
  Result<TermPointer> read_chain() {
    TRY(TermPointer chain, read_negatable());
    while (true) {
      const bool is_and = cursor_.at_word("AND");
      if (!is_and && !cursor_.at_word("OR")) return chain;
      const std::size_t at = cursor_.position();
      cursor_.take_word(is_and ? "AND" : "OR");
      const char kind = is_and ? '&' : '|';
      char& group = groups_.back();
      if (group == 0) group = kind;
      if (group != kind) return cursor_.error("AND and OR side by side need parentheses", at);
      TRY(TermPointer next, read_negatable());
      chain = is_and ? both(std::move(chain), std::move(next)) : either(std::move(chain), std::move(next));
    }
  }

  Result<TermPointer> read_negatable() {
    const bool negative = cursor_.take_word("NOT");
    TRY(TermPointer term, read_term());
    return negative ? negation(std::move(term)) : std::move(term);
  }

  Result<TermPointer> read_term() {
    if (!cursor_.skip_blanks()) return cursor_.error("a term is missing at the end");
    if (cursor_.peek() == '(') return read_group();
    const bool negative = cursor_.take('-');
    TRY(TermPointer term, read_comparison());
    return negative ? negation(std::move(term)) : std::move(term);
  }

  Result<TermPointer> read_group() {
    const std::size_t opened = cursor_.position();
    cursor_.take('(');
    if (static_cast<int>(groups_.size()) >= kMostNesting)
      return cursor_.error("too many parentheses", opened);
    groups_.push_back(0);
    cursor_.skip_blanks();
    if (cursor_.peek() == ')') return cursor_.error("a term is missing between the parentheses");
    TRY(TermPointer term, read_terms());
    if (!cursor_.take(')')) return cursor_.error("this '(' is not closed", opened);
    groups_.pop_back();
    return term;
  }

  std::optional<Operator> take_operator() {
    cursor_.skip_blanks();
    for (const auto& [spelling, op] : kOperators) {
      const std::size_t at = cursor_.position();
      if (cursor_.take(spelling[0]) && (spelling.size() == 1 || cursor_.take(spelling[1]))) return op;
      cursor_.go_to(at);
    }
    return std::nullopt;
  }

  /// KEY OPERATOR OPERAND, or a bare word.
  Result<TermPointer> read_comparison() {
    const std::size_t at = cursor_.position();
    Result<FieldPath> path = FieldPath::read(cursor_, FieldPath::Extent::kTransforms);
    if (!path.ok()) return read_bare_word(at, path.error());
    if (is_logical(path->text())) return cursor_.error("a term is missing here", at);
    const std::size_t behind = cursor_.position();
    const std::size_t operator_at = cursor_.skip_blanks() ? cursor_.position() : behind;
    const std::optional<Operator> op = take_operator();
    if (!op && cursor_.peek() == '!') return cursor_.error("'!' is != or !~", operator_at);
    if (!op) return read_bare_word(at, cursor_.error("an operator is missing", operator_at));
    const auto alias = aliases_.find(path->first_name());
    FieldPath key = alias == aliases_.end() ? std::move(*path) : path->with_first(alias->second);
    TRY(std::vector<Operand> operands, read_operands(*op, operator_at));
    fields_.push_back(key);
    return comparison(std::move(key), *op, std::move(operands));
  }

  /// `problem` is why it is no comparison: what to say if it is no bare word either.
  Result<TermPointer> read_bare_word(std::size_t at, const Error& problem) {
    cursor_.go_to(at);
    TRY(const std::optional<std::string> word, cursor_.word(kOperatorCharacters));
    const bool more = !cursor_.at_end() && cursor_.peek() != ')' &&
                      kOperatorCharacters.find(cursor_.peek()) != std::string_view::npos;
    if (!word || word->empty() || more || is_logical(*word)) return problem;
    return anywhere(*word);
  }

  Result<std::vector<Operand>> read_operands(Operator op, std::size_t operator_at) {
    if (!cursor_.skip_blanks()) return cursor_.error("a value is missing behind the operator");
    if ((op == Operator::kHas || op == Operator::kEqual) && cursor_.take('(')) return read_operand_list(op);
    const std::size_t at = cursor_.position();
    if (cursor_.at_word("AND") || cursor_.at_word("OR") || cursor_.at_word("NOT"))
      return cursor_.error("a value is missing before this word", at);
    if (kOperatorCharacters.find(cursor_.peek()) < 6 && at == operator_at + 1)
      return cursor_.error("there is no such operator", operator_at);
    TRY(const std::optional<std::string> text, cursor_.word("()"));
    if (!text) return cursor_.error("a value is missing behind the operator");
    TRY(Operand operand, make(op, *text, at));
    std::vector<Operand> operands;
    operands.push_back(std::move(operand));
    return operands;
  }

  /// (a b, c): any of them; the words AND and OR between them mean nothing, as in gcloud.
  Result<std::vector<Operand>> read_operand_list(Operator op) {
    std::vector<Operand> operands;
    const std::size_t opened = cursor_.position() - 1;
    while (true) {
      const std::size_t at = cursor_.position();
      TRY(const std::optional<std::string> text, cursor_.word(",)"));
      if (text && !is_logical(*text)) {
        TRY(Operand operand, make(op, *text, at));
        operands.push_back(std::move(operand));
      }
      cursor_.skip_blanks();
      if (cursor_.at_end()) return cursor_.error("this '(' is not closed", opened);
      if (cursor_.take(')')) break;
      if (cursor_.take(',') && !text) return cursor_.error("a value is missing before the comma", at);
    }
    if (operands.empty()) return cursor_.error("a value is missing between the parentheses", opened);
    return operands;
  }

  Result<Operand> make(Operator op, const std::string& text, std::size_t at) {
    Result<Operand> operand = make_operand(op, text, now_);
    if (!operand.ok()) return cursor_.error(operand.error().message(), at);
    return operand;
  }

  ExpressionCursor cursor_;
  std::chrono::system_clock::time_point now_;
  const Aliases& aliases_;
  std::vector<FieldPath> fields_;
  std::vector<char> groups_{0};  ///< which of & and | joins the terms of each open parenthesis
};

}  // namespace

Filter::Filter() = default;
Filter::~Filter() = default;
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;

Result<Filter> Filter::parse(std::string_view text, std::chrono::system_clock::time_point now,
                             const Aliases& aliases) {
  FilterParser parser(text, now, aliases);
  Filter filter;
  if (parser.is_blank()) return filter;
  TRY(filter.root_, parser.read_all());
  filter.fields_ = parser.take_fields();
  return filter;
}

bool Filter::matches(const Json& document) const { return root_ == nullptr || root_->matches(document); }

}  // namespace slipway::report
