#include "slipway/report/sort_order.h"

#include <algorithm>
#include <optional>

#include "report/expression_cursor.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the run of digits off the front of `text`, without leading zeros.
std::string_view take_digits(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

template <typename Value>
int order(const Value& left, const Value& right) {
  return left < right ? -1 : right < left ? 1 : 0;
}

int rank(const Json& value) {
  if (value.is_null()) return 0;
  if (value.is_boolean()) return 1;
  if (value.is_number()) return 2;
  return value.is_string() ? 3 : 4;
}

int compare(const Json& left, const Json& right) {
  if (const int ranks = order(rank(left), rank(right)); ranks != 0) return ranks;
  if (left.is_number()) return order(left.get<double>(), right.get<double>());
  if (left.is_string())
    return compare_naturally(left.get_ref<const std::string&>(), right.get_ref<const std::string&>());
  if (left.is_boolean()) return order(left.get<bool>(), right.get<bool>());
  return left.is_null() ? 0 : order(dump_json(left), dump_json(right));
}

/// What can be compared: of a list its first item; a number for what is one, also in a string.
Json comparable(Json value) {
  while (value.is_array()) {
    Json first = value.empty() ? Json() : std::move(value.front());
    value = std::move(first);
  }
  return value;
}

}  // namespace

int compare_naturally(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    if (is_digit(left.front()) && is_digit(right.front())) {
      const std::string_view a = take_digits(left);
      const std::string_view b = take_digits(right);
      if (a.size() != b.size()) return order(a.size(), b.size());
      if (const int digits = a.compare(b); digits != 0) return digits < 0 ? -1 : 1;
      continue;
    }
    const auto a = static_cast<unsigned char>(left.front());
    const auto b = static_cast<unsigned char>(right.front());
    if (a != b) return order(a, b);
    left.remove_prefix(1);
    right.remove_prefix(1);
  }
  return order(left.size(), right.size());
}

Result<SortOrder> SortOrder::parse(std::string_view text, const Aliases& aliases) {
  SortOrder sort;
  ExpressionCursor cursor("--sort-by", text);
  if (!cursor.skip_blanks()) return sort;
  do {
    cursor.skip_blanks();
    const bool descending = cursor.take('~');
    TRY(FieldPath path, FieldPath::read(cursor, FieldPath::Extent::kTransforms));
    const auto alias = aliases.find(path.first_name());
    if (alias != aliases.end()) path = path.with_first(alias->second);
    sort.keys_.push_back({std::move(path), descending});
    cursor.skip_blanks();
  } while (cursor.take(','));
  if (!cursor.at_end()) return cursor.error("fields are separated by commas, and ~ stands before one");
  return sort;
}

std::vector<Json> SortOrder::key_of(const Json& document) const {
  std::vector<Json> key;
  for (const Key& one : keys_) key.push_back(comparable(one.path.find(document)));
  return key;
}

bool SortOrder::before(const std::vector<Json>& left, const std::vector<Json>& right) const {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const int result = compare(left[i], right[i]);
    if (result != 0) return keys_[i].descending ? result > 0 : result < 0;
  }
  return false;
}

}  // namespace slipway::report
