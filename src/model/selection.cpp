#include "slipway/model/selection.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway {
namespace {

std::optional<std::size_t> parse_index(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Error bad_selection(std::string_view text) {
  return Error(ErrorCode::kUsage, fmt::format("'{}' selects nothing that can be read", printable(text)))
      .why("write all, 0, 1,4-6, a slice's name, or !3 for all but 3");
}

std::string what_there_is(const std::vector<std::string>& names, std::string_view what) {
  if (names.empty()) return fmt::format("there is no {}", what);
  if (names.size() == 1) return fmt::format("the only {} is 0", what);
  return fmt::format("there are {}s 0 to {}", what, names.size() - 1);
}

}  // namespace

Result<Selection> Selection::parse(std::string_view text) {
  Selection selection;
  selection.text_ = text;
  for (const std::string& part : split(text, ',')) {
    Term term;
    std::string_view word = trim(part);
    if (!word.empty() && word.front() == '!') {
      term.exclude = true;
      word.remove_prefix(1);
    }
    if (word.empty()) return bad_selection(text);
    const std::size_t dash = word.find('-');
    const auto first = parse_index(word.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_index(word.substr(dash + 1));
    if (word == "all") {
      term.everything = true;
    } else if (first && last) {
      if (*first > *last) return bad_selection(text);
      term.first = *first;
      term.last = *last;
    } else {
      term.name = word;
    }
    selection.terms_.push_back(std::move(term));
  }
  return selection;
}

Result<std::vector<std::size_t>> Selection::apply(const std::vector<std::string>& names,
                                                  std::string_view what) const {
  std::vector<bool> chosen(names.size(), terms_.empty() || terms_.front().exclude);
  for (const Term& term : terms_) {
    std::size_t first = term.first;
    std::size_t last = term.last;
    if (term.everything) {
      first = 0;
      last = names.empty() ? 0 : names.size() - 1;
    } else if (!term.name.empty()) {
      const auto found = std::find(names.begin(), names.end(), term.name);
      if (found == names.end()) {
        const std::string near = nearest(term.name, names);
        return Error(ErrorCode::kUsage, fmt::format("there is no {} '{}'", what, printable(term.name)))
            .why(near.empty() ? what_there_is(names, what) : fmt::format("did you mean '{}'?", near));
      }
      first = last = static_cast<std::size_t>(found - names.begin());
    }
    if (last >= names.size()) {
      return Error(ErrorCode::kUsage, fmt::format("there is no {} {}", what, last))
          .why(what_there_is(names, what));
    }
    std::fill(chosen.begin() + static_cast<std::ptrdiff_t>(first),
              chosen.begin() + static_cast<std::ptrdiff_t>(last) + 1, !term.exclude);
  }
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) positions.push_back(i);
  }
  if (positions.empty())
    return Error(ErrorCode::kUsage, fmt::format("'{}' leaves no {}", printable(text_), what));
  return positions;
}

Result<std::vector<std::size_t>> Selection::apply(std::size_t count, std::string_view what) const {
  // Workers have no names; a word that is no number then names none of these.
  std::vector<std::string> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return apply(numbers, what);
}

Result<Requirement> Requirement::parse(std::string_view text) {
  Requirement requirement;
  requirement.text_ = text;
  if (text == "all") return requirement;
  if (text == "any") {
    requirement.kind_ = Kind::kAny;
    return requirement;
  }
  const bool percent = !text.empty() && text.back() == '%';
  const auto number = parse_index(percent ? text.substr(0, text.size() - 1) : text);
  if (!number || *number == 0 || (percent && *number > 100)) {
    return Error(ErrorCode::kUsage, fmt::format("--require: '{}' is no number of workers", printable(text)))
        .why("write all, any, a number such as 6, or a share such as 90%");
  }
  requirement.kind_ = percent ? Kind::kPercent : Kind::kCount;
  requirement.number_ = *number;
  return requirement;
}

std::size_t Requirement::of(std::size_t total) const {
  switch (kind_) {
    case Kind::kAll:
      return total;
    case Kind::kAny:
      return 1;
    case Kind::kCount:
      return number_;
    case Kind::kPercent:
      return std::max<std::size_t>(1, (total * number_ + 99) / 100);
  }
  return total;
}

}  // namespace slipway
