#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace slipway::cli {

/// The help of one command: what it is for, its words and flags, then its details, which end in examples.
/// `path` is how it is typed ("emulator start").
std::string command_help(const CLI::App& app, const std::string& path);

/// The help of the whole: commands, examples, and the flags that hold everywhere.
std::string program_help(const CLI::App& root);

}  // namespace slipway::cli
