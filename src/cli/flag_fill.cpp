// What the layers below the command line say: the second half of CommandLine::parse.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "cli/command_line.h"
#include "cli/flag_words.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kCommandLine = "command line";

/// A settings file has one section for "emulator start" and all its sisters: "emulator".
std::string section_of(const CLI::App& app) {
  const std::string path = command_path(app);
  return path.substr(0, path.find(' '));
}

std::string flag_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? "" : option.get_lnames().front();
}

/// CLI11 takes many words for a switch; any other is not its sentence to say.
Result<void> check_switch(const LayerValue& value) {
  const std::string word = to_lower(value.words.front());
  for (const char* known : {"true", "false", "1", "0", "yes", "no", "on", "off"}) {
    if (word == known) return {};
  }
  return Error(ErrorCode::kUsage,
               fmt::format("{}: '{}' is not true or false", value.origin, printable(word)));
}

/// "--spot", "--spot (/p/slipway.yaml:3:1)".
std::string with_origin(const CLI::Option& option, const std::string& origin) {
  const std::string flag = "--" + flag_name(option);
  return origin == kCommandLine ? flag : fmt::format("{} ({})", flag, origin);
}

/// Behind the first `flag` of `text` that is no part of a longer one.
std::size_t end_of_flag(const std::string& text, const std::string& flag) {
  for (std::size_t at = text.find(flag); at != std::string::npos; at = text.find(flag, at + 1)) {
    const std::size_t end = at + flag.size();
    const bool longer =
        end < text.size() && (text[end] == '-' || std::isalnum(static_cast<unsigned char>(text[end])) != 0);
    if (!longer) return end;
  }
  return std::string::npos;
}

/// Flags for which nothing is a value: no text, no words. Anywhere else an empty value is a variable that is
/// not set: taking it for "not said" would let the configured project, or all workers, stand in for it.
constexpr const char* kMayBeEmpty[] = {"body",    "description", "fields", "filter",  "labels",
                                       "message", "metadata",    "setup",  "sort-by", "tags"};

Result<void> check_not_empty(const CLI::Option& option, const LayerValue& value) {
  const std::string flag = flag_name(option);
  const bool is_empty = std::find(value.words.begin(), value.words.end(), "") != value.words.end();
  const bool may = std::find(std::begin(kMayBeEmpty), std::end(kMayBeEmpty), flag) != std::end(kMayBeEmpty);
  if (!is_empty || may) return {};
  return Error(ErrorCode::kUsage, fmt::format("{} is empty", with_origin(option, value.origin)))
      .why("that would be taken for not said at all; is a variable of a script not set?")
      .next(fmt::format("give --{0} a value, or leave it out", flag));
}

/// Of a switch.
bool is_on(const std::vector<std::string>& words) {
  const std::string word = words.empty() ? "" : to_lower(words.back());
  return word != "false" && word != "0" && word != "no" && word != "off";
}

std::string shown_value(const CLI::Option& option) {
  const std::vector<std::string> words = option.results();
  if (words.empty()) return option.get_default_str();
  if (flag_name(option) != "env") return fmt::format("{}", fmt::join(words, ","));
  std::vector<std::string> names;  // what --env carries may be secret
  for (const std::string& word : words) names.push_back(word.substr(0, word.find('=')) + "=...");
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

FlagCatalog CommandLine::flag_catalog() const {
  FlagCatalog catalog;
  const auto collect = [&](const CLI::App& app, const std::string& section) {
    std::set<std::string>& names = catalog[section];
    for (const CLI::Option* option : app.get_options()) {
      if (facts_.count(option) > 0 && flag_name(*option) != "config") names.insert(flag_name(*option));
    }
  };
  collect(*app_, "");
  for (const Entry& entry : entries_) collect(*entry.app, section_of(*entry.app));
  return catalog;
}

/// Of the flags that hold everywhere, a flag file has only those that say where: the rest is about whom we
/// trust and how we talk, which is no part of a job.
Result<void> CommandLine::read_flag_file(CLI::App& at) {
  const auto found = flag_file_flags_.find(command_path(at));
  if (found == flag_file_flags_.end()) return {};
  const FlagFile& file = found->second;
  CLI::Option& option = *at.get_option("--" + file.flag);
  TRY(fill_in(option, section_of(at)));
  if (option.results().empty()) return {};
  std::set<std::string> known{"project", "zone"};
  for (const CLI::Option* flag : at.get_options()) {
    if (facts_.count(flag) > 0 && flag != &option) known.insert(flag_name(*flag));
  }
  return layers_.put_first(option.results().back(), {{"", known}}, file.not_in_it);
}

Result<void> CommandLine::fill_in(CLI::App& at) {
  TRY(fill_in(*app_->get_option("--config"), ""));
  TRY(layers_, FlagLayers::open(global_.config));
  TRY(layers_.check(flag_catalog()));
  TRY(read_flag_file(at));
  std::vector<Said> said;
  for (CLI::App* app = &at; app != nullptr; app = app->get_parent()) TRY(collect(*app, section_of(at), said));
  return take_all(std::move(said));
}

Result<void> CommandLine::fill_in(CLI::Option& option, const std::string& command) {
  std::vector<Said> said;
  TRY(collect(option, command, said));
  return take_all(std::move(said));
}

Result<void> CommandLine::collect(CLI::App& app, const std::string& command, std::vector<Said>& said) {
  for (CLI::Option* option : app.get_options()) TRY(collect(*option, command, said));
  return {};
}

Result<void> CommandLine::collect(CLI::Option& option, const std::string& command, std::vector<Said>& said) {
  const auto fact = facts_.find(&option);
  if (fact == facts_.end() || origins_.count(&option) > 0) return {};
  if (option.count() > 0) {
    said.push_back({&option, LayerValue{option.results(), kCommandLine, 0}});
    return check_not_empty(option, said.back().value);
  }
  TRY(auto value, layers_.value(command, flag_name(option), fact->second.variable, fact->second.kind));
  if (!value) return {};
  TRY(check_not_empty(option, *value));
  if (fact->second.kind == FlagKind::kSwitch) TRY(check_switch(*value));
  said.push_back({&option, std::move(*value)});
  return {};
}

Result<void> CommandLine::take_all(std::vector<Said> said) {
  std::stable_sort(said.begin(), said.end(),
                   [](const Said& a, const Said& b) { return a.value.rank < b.value.rank; });
  for (const Said& one : said) TRY(take(one));
  return {};
}

Result<bool> CommandLine::has_better_rival(const Said& said) const {
  const FlagFact& fact = facts_.at(said.option);
  const int rank = said.value.rank;
  if (fact.kind == FlagKind::kSwitch && !is_on(said.value.words)) return false;
  if (fact.rivals_words_behind_dashes && rank > 0 && !after_dashes_.empty()) return true;
  for (const FlagFact::Rival& rival : fact.rivals) {
    const auto origin = origins_.find(rival.option);
    if (origin == origins_.end()) continue;
    if (facts_.at(rival.option).kind == FlagKind::kSwitch && !is_on(rival.option->results())) continue;
    if (origin->second.rank < rank) return true;
    std::string ours = with_origin(*said.option, said.value.origin);
    std::string theirs = with_origin(*rival.option, origin->second.text);
    if (rival.comes_first) ours.swap(theirs);
    return usage_error(fmt::format("{} and {} exclude each other", ours, theirs), command_path(*reached()));
  }
  return false;
}

Result<void> CommandLine::take(const Said& said) {
  TRY(const bool passed_over, has_better_rival(said));
  if (passed_over) return {};
  CLI::Option& option = *said.option;
  try {
    if (said.value.rank > 0) {
      for (const std::string& word : said.value.words) option.add_result(word);
      option.run_callback();
    }
  } catch (const CLI::ParseError& error) {
    return Error(ErrorCode::kUsage, fmt::format("{}: {}", said.value.origin, error.what()));
  }
  origins_[&option] = {said.value.origin, said.value.rank};
  return {};
}

Error CommandLine::with_origins(const Error& error) const {
  if (error.code() != ErrorCode::kUsage) return error;
  std::string message = error.message();
  for (const auto& [option, origin] : origins_) {
    if (origin.rank == 0) continue;
    const std::string flag = "--" + flag_name(*option);
    const std::size_t end = end_of_flag(message, flag);
    if (end != std::string::npos) message.insert(end, fmt::format(" ({})", origin.text));
  }
  return Error(error.code(), std::move(message)).why(error.why()).next(error.next());
}

CLI::App* CommandLine::find_app(const std::string& path) {
  if (path.empty()) return app_.get();
  for (const Entry& entry : entries_) {
    if (entry.name == path) return entry.app;
  }
  return nullptr;
}

std::vector<std::string> CommandLine::command_names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (entry.action) names.push_back(entry.name);
  }
  return names;
}

Result<std::vector<FlagState>> CommandLine::explain(const std::string& command) {
  CLI::App* app = find_app(command);
  if (app == nullptr) {
    const std::string near = nearest(command, command_names());
    Error error(ErrorCode::kUsage, fmt::format("there is no command '{}'", printable(command)));
    return near.empty() ? std::move(error) : std::move(error).why(fmt::format("did you mean '{}'?", near));
  }
  std::vector<Said> said;
  TRY(collect(*app, section_of(*app), said));
  TRY(take_all(std::move(said)));
  std::vector<FlagState> states;
  for (const CLI::Option* option : app->get_options()) {
    if (facts_.count(option) == 0) continue;
    const auto origin = origins_.find(option);
    states.push_back(
        {flag_name(*option), shown_value(*option), origin == origins_.end() ? "" : origin->second.text});
  }
  return states;
}

}  // namespace slipway::cli
