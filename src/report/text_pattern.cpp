#include "report/text_pattern.h"

#include <memory>
#include <regex>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

bool begins_with(std::string_view text, std::string_view part) { return text.substr(0, part.size()) == part; }
bool ends_with(std::string_view text, std::string_view part) {
  return text.size() >= part.size() && text.substr(text.size() - part.size()) == part;
}

std::regex_constants::syntax_option_type flags(bool blind_to_case) {
  auto flags = std::regex_constants::ECMAScript;
#ifdef __GLIBCXX__
  // libstdc++'s default follows one path at a time, on the stack: a value of 100 KB overflows it, and (a+)+b
  // takes for ever. This one follows all paths together.
  flags |= std::regex_constants::__polynomial;
#endif
  return blind_to_case ? flags | std::regex_constants::icase : flags;
}

}  // namespace

Result<TextPattern> containing(std::string_view text) {
  const std::string word = to_lower(text);
  if (word == "*") return TextPattern([](std::string_view value) { return !value.empty(); });
  const std::size_t star = word.find('*');
  if (star == std::string::npos)
    return TextPattern(
        [word](std::string_view value) { return to_lower(value).find(word) != std::string::npos; });
  if (word.find('*', star + 1) != std::string::npos)
    return Error(ErrorCode::kUsage, "at most one * can stand behind ':'");
  return TextPattern([head = word.substr(0, star), tail = word.substr(star + 1)](std::string_view value) {
    const std::string lower = to_lower(value);
    return lower.size() >= head.size() + tail.size() && begins_with(lower, head) && ends_with(lower, tail);
  });
}

TextPattern equal_to(std::string_view text) {
  return [word = to_lower(text)](std::string_view value) { return to_lower(value) == word; };
}

Result<TextPattern> matching(std::string_view expression) {
  constexpr std::string_view kBlind = "(?i)";
  const bool blind = begins_with(expression, kBlind);
  if (blind) expression.remove_prefix(kBlind.size());
  try {
    const auto compiled = std::make_shared<std::regex>(  // std::function copies what it holds
        expression.begin(), expression.end(), flags(blind));
    return TextPattern([compiled](std::string_view value) {
      return std::regex_search(value.begin(), value.end(), *compiled);
    });
  } catch (const std::regex_error&) {
    return Error(ErrorCode::kUsage, "not a regular expression that slipway understands (ECMAScript's)");
  }
}

}  // namespace slipway::report
