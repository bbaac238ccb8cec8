#include "cli/command_environment.h"

#include <algorithm>
#include <cctype>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

using Variable = std::pair<std::string, std::string>;

bool is_variable_name(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto letter_or_digit = [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), letter_or_digit);
}

Result<Variable> parse_variable(const std::string& pair, const std::string& where) {
  const std::size_t equals = pair.find('=');
  if (equals == std::string::npos || !is_variable_name(std::string_view(pair).substr(0, equals)))
    return Error(ErrorCode::kUsage, fmt::format("{}: '{}' is not NAME=VALUE", where, printable(pair)));
  return Variable(pair.substr(0, equals), pair.substr(equals + 1));
}

}  // namespace

Result<std::vector<Variable>> command_environment(const std::vector<std::string>& pairs,
                                                  const std::string& file) {
  std::vector<Variable> variables;
  if (!file.empty()) {
    TRY(const std::string text, read_file(file));
    std::size_t number = 0;
    for (std::string line : split(text, '\n')) {
      ++number;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty() || line.front() == '#') continue;
      TRY(Variable variable, parse_variable(line, fmt::format("{}:{}", file, number)));
      variables.push_back(std::move(variable));
    }
  }
  for (const std::string& pair : pairs) {
    TRY(Variable variable, parse_variable(pair, "--env"));
    variables.push_back(std::move(variable));
  }
  return variables;
}

}  // namespace slipway::cli
