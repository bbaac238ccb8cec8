#include "slipway/core/format.h"
#include "slipway/report/document_text.h"

namespace slipway::report {
namespace {

std::string in_quotes_if_needed(const std::string& cell) {
  const bool blank_edge = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
  if (!blank_edge && cell.find_first_of("\",\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string simple_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  return value.is_null() ? "" : dump_json(value);
}

}  // namespace

std::string csv_record(const std::vector<std::string>& cells) {
  std::string record;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) record += ',';
    record += in_quotes_if_needed(cell);
  }
  return record + "\n";
}

std::string cell_text(const Json& value) {
  if (!value.is_structured()) return simple_text(value);
  std::string text;
  bool first = true;
  for (const auto& entry : value.items()) {
    if (!first) text += ';';
    first = false;
    if (value.is_object()) text += entry.key() + "=";
    text += simple_text(entry.value());
  }
  return text;
}

}  // namespace slipway::report
