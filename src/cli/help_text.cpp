#include "cli/help_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "slipway/core/format.h"

namespace slipway::cli {
namespace {

/// A word and what it means, as two columns.
using Row = std::pair<std::string, std::string>;

std::string rows_text(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.first.size());
  std::string text;
  for (const auto& [word, meaning] : rows) text += fmt::format("  {:<{}}  {}\n", word, width, meaning);
  return text;
}

/// "-y, --yes", "--zone ZONE", "--dry-run[=request|curl]".
std::string flag_word(const CLI::Option& option) {
  std::string word;
  for (const std::string& name : option.get_snames()) word += "-" + name + ", ";
  const std::string& name = option.get_lnames().front();
  word += "--" + name;
  if (name == "dry-run") return word + "[=request|curl]";
  return option.get_type_size() == 0 ? word : fmt::format("{} {}", word, option.get_type_name());
}

std::vector<Row> flag_rows(const CLI::App& app) {
  std::vector<Row> rows;
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) rows.emplace_back(flag_word(*option), option->get_description());
  }
  return rows;
}

std::vector<Row> word_rows(const CLI::App& app) {
  std::vector<Row> rows;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) rows.emplace_back(option->get_name(true), option->get_description());
  }
  return rows;
}

std::vector<Row> command_rows(const CLI::App& app) {
  std::vector<Row> rows;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    rows.emplace_back(sub->get_name(), sub->get_description());
  }
  return rows;
}

std::string usage_line(const CLI::App& app, const std::string& path) {
  std::string line = fmt::format("Usage: slipway {}", path);
  for (const Row& row : word_rows(app)) line += " " + row.first;
  if (!command_rows(app).empty()) return line + " COMMAND\n";
  return flag_rows(app).empty() ? line + "\n" : line + " [FLAGS]\n";
}

std::string section(const std::string& title, const std::vector<Row>& rows) {
  return rows.empty() ? "" : fmt::format("\n{}:\n{}", title, rows_text(rows));
}

constexpr const char* kProgramExamples = R"help(
Examples:
  slipway create train-1 --node-count 4 --accelerator-type v4-16 --runtime-version tpu-ubuntu2204-base --wait
  slipway run train-1 --command 'python3 train.py' --rank-env --output-dir logs/run-1
  slipway delete train-1 --force --yes
  eval "$(slipway emulator start --detach)"     # all of it without Google Cloud
)help";

}  // namespace

std::string command_help(const CLI::App& app, const std::string& path) {
  std::string text = fmt::format("slipway {}: {}\n\n{}", path, app.get_description(), usage_line(app, path));
  text += section("Words", word_rows(app)) + section("Commands", command_rows(app)) +
          section("Flags", flag_rows(app));
  if (!app.get_footer().empty()) text += fmt::format("\n{}\n", app.get_footer());
  return text +
         "\nThe flags that every command takes, such as --zone and --format: slipway --help. Every long flag "
         "is also\n"
         "SLIPWAY_<FLAG> (but --attempt, --checkpoint-dir, --worker: slipway help env).\n";
}

std::string program_help(const CLI::App& root) {
  return fmt::format("{}\n\nUsage: slipway COMMAND ...\n{}{}{}", root.get_description(),
                     section("Commands", command_rows(root)), kProgramExamples,
                     section("Everywhere", flag_rows(root))) +
         "\nslipway COMMAND --help explains a command; slipway help exit-codes, env, config, formats, "
         "selection, auth the rest.\n";
}

}  // namespace slipway::cli
