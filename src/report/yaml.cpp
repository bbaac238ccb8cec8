#include <algorithm>
#include <array>
#include <charconv>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/report/document_text.h"

namespace slipway::report {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Words that some reader of YAML takes for a truth, a null or a number.
bool means_something(std::string_view word) {
  static constexpr std::array<std::string_view, 11> kWords = {"y",    "n",     "yes",  "no",  "on", "off",
                                                              "true", "false", "null", "nan", "inf"};
  const std::string lower = to_lower(word);
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

/// Text that may stand without quotes. Narrower than YAML allows: what begins with a letter or '/', and has
/// nothing in it that could end it or begin something else.
bool is_plain(std::string_view text) {
  if (text.empty() || (!is_letter(text.front()) && text.front() != '/')) return false;
  if (text.back() == ' ' || text.back() == ':' || means_something(text)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool safe =
        is_letter(c) || is_digit(c) || std::string_view("_-./+@=;()").find(c) != std::string_view::npos;
    const bool inner_blank = c == ' ' && text[i + 1] != '#' && text[i + 1] != ' ';
    const bool inner_colon = c == ':' && text[i + 1] != ' ';
    if (!safe && !inner_blank && !inner_colon) return false;
  }
  return true;
}

/// Whether every character may stand as itself: `printable` changes all that YAML, too, wants escaped.
bool shows_itself(std::string_view text) {
  return printable(text) == text && text.find('\t') == std::string_view::npos;
}

std::string in_single_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

/// The code unit behind "\\u" at `at`; 0 when there is none.
unsigned escaped_unit(std::string_view text, std::size_t at) {
  unsigned unit = 0;
  if (text.substr(at, 2) == "\\u") std::from_chars(text.data() + at + 2, text.data() + at + 6, unit, 16);
  return unit;
}

/// JSON's string with everything but ASCII escaped is a double-quoted scalar of YAML, but for DEL, and for
/// characters that JSON writes as two surrogates.
std::string in_double_quotes(std::string_view text) {
  const std::string json = Json(std::string(text)).dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string quoted;
  for (std::size_t at = 0; at < json.size();) {
    const unsigned unit = escaped_unit(json, at);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const unsigned low = escaped_unit(json, at + 6);
      quoted += fmt::format("\\U{:08x}", 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
      at += 12;
    } else if (json[at] == '\\') {
      quoted += json.substr(at, 2);
      at += 2;
    } else {
      quoted += json[at] == '\x7f' ? "\\x7F" : std::string(1, json[at]);
      ++at;
    }
  }
  return quoted;
}

std::string scalar(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  return shows_itself(text) ? in_single_quotes(text) : in_double_quotes(text);
}

/// A text of several lines that can stand as a block: no line that would need an indentation indicator.
bool is_block(std::string_view text) {
  if (text.find('\n') == std::string_view::npos || text.front() == '\n' || text.front() == ' ') return false;
  if (text.find_first_not_of("\n \t") == std::string_view::npos) return false;
  for (const std::string& line : split(text, '\n')) {
    if (printable(line) != line || (!line.empty() && line.front() == '\t')) return false;
    if (!line.empty() && trim(line).empty()) return false;
  }
  return true;
}

std::string block(std::string_view text, std::size_t indent) {
  std::size_t newlines = 0;
  while (newlines < text.size() && text[text.size() - 1 - newlines] == '\n') ++newlines;
  std::string shown = newlines == 0 ? "|-\n" : newlines == 1 ? "|\n" : "|+\n";
  const std::string_view body = newlines == 0 ? text : text.substr(0, text.size() - 1);
  for (const std::string& line : split(body, '\n')) {
    if (!line.empty()) shown += std::string(indent, ' ') + line;
    shown += '\n';
  }
  return shown;
}

void write_node(const Json& value, std::size_t indent, std::string& text);

/// A value behind "key:" or "-": on the same line where it has none below.
void write_value(const Json& value, std::size_t indent, std::string& text) {
  if (value.is_string() && is_block(value.get_ref<const std::string&>())) {
    text += " " + block(value.get_ref<const std::string&>(), indent + 2);
  } else if (value.is_string()) {
    text += " " + scalar(value.get_ref<const std::string&>()) + "\n";
  } else if (!value.is_structured() || value.empty()) {
    text += " " + dump_json(value) + "\n";
  } else {
    text += '\n';
    // As gcloud does it, a list stands no deeper than its key.
    write_node(value, value.is_array() ? indent : indent + 2, text);
  }
}

void write_members(const Json& object, std::size_t indent, bool first_is_begun, std::string& text) {
  for (const auto& entry : object.items()) {
    if (!first_is_begun) text.append(indent, ' ');
    first_is_begun = false;
    text += scalar(entry.key()) + ":";
    write_value(entry.value(), indent, text);
  }
}

void write_node(const Json& value, std::size_t indent, std::string& text) {
  if (value.is_object()) return write_members(value, indent, false, text);
  for (const Json& item : value) {
    text += std::string(indent, ' ') + "-";
    if (item.is_object() && !item.empty()) {
      text += ' ';
      write_members(item, indent + 2, true, text);
    } else {
      write_value(item, item.is_array() ? indent + 2 : indent, text);
    }
  }
}

}  // namespace

std::string to_yaml(const Json& document) {
  std::string text;
  if (document.is_structured() && !document.empty()) {
    write_node(document, 0, text);
  } else {
    write_value(document, 0, text);
    text.erase(0, 1);
  }
  return text;
}

}  // namespace slipway::report
