#include "cli/error_text.h"

#include "slipway/core/format.h"
#include "slipway/core/secret.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// Lines after the first are indented below it, so that the whole stays one block.
std::string shown(const std::string& text, std::string_view indent) {
  std::string block;
  for (const std::string& line : split(redact(text), '\n')) {
    if (!block.empty()) block += fmt::format("\n{}", indent);
    block += printable(line);
  }
  return block;
}

}  // namespace

std::string error_text(std::string_view command, const Error& error) {
  std::string text = command.empty() ? std::string("slipway: ") : fmt::format("slipway: {}: ", command);
  text += shown(error.message(), "  ") + "\n";
  if (!error.why().empty()) text += fmt::format("  why: {}\n", shown(error.why(), "       "));
  if (!error.next().empty()) text += fmt::format("  next: {}\n", shown(error.next(), "        "));
  return text;
}

}  // namespace slipway::cli
