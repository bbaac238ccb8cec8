#pragma once

#include <string>
#include <vector>

#include "slipway/core/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace slipway::cli {

/// The words of a command line, made so that CLI11 gives every flag its own value and never the next flag:
/// "--flag=" becomes the two words "--flag" and "" (CLI11 2.1 would take the next word, such as --dry-run,
/// for the value). Words from the first "--" on stay as they are. Errors (kUsage): "--switch=", and a flag of
/// the command where the value of the one before it should be, which is a value that was forgotten.
Result<std::vector<std::string>> words_with_values(const CLI::App& root,
                                                   const std::vector<std::string>& words);

/// "run", "emulator start"; empty for the program itself.
std::string command_path(const CLI::App& app);

/// A mistake in the words of `command`, which may be empty.
Error usage_error(std::string message, const std::string& command);

}  // namespace slipway::cli
