#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/flag_words.h"
#include "cli/help_text.h"
#include "cli/version.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

void collect_names(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

bool is_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = subcommand_names(app);
  return std::find(names.begin(), names.end(), word) != names.end();
}

/// CLI11's own words where they are good.
std::string sentence_of(const CLI::ParseError& error) {
  constexpr std::string_view kNotConverted = "Could not convert: ";
  std::string text = error.what();
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  if (text.rfind(kNotConverted, 0) == 0) text = "cannot take " + text.substr(kNotConverted.size());
  return text;
}

}  // namespace

CommandLine::CommandLine()
    : app_(std::make_unique<CLI::App>("slipway: queued resources and fan-out for Cloud TPU Multislice")) {
  app_->name("slipway");
  app_->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app_->allow_extras();
  app_->require_subcommand(
      0, 1);              // a second word that names a command is a word: a resource may be called "list"
  app_->set_help_flag();  // ours below: CLI11's would end the parse before unknown words are seen
  add_global_options();
}

CommandLine::~CommandLine() = default;

void CommandLine::add_global_options() {
  const auto add_switch = [this](const std::string& names, auto& value, const std::string& help,
                                 FlagKind kind) {
    CLI::Option* option = app_->add_flag(names, value, help);
    facts_[option] = {environment_name(option->get_lnames().front()), kind};
  };
  Flags(*app_, facts_)
      .text("project", global_.project, "PROJECT", "Google Cloud project (else gcloud's core/project)")
      .text("zone", global_.zone, "ZONE", "zone (else gcloud's compute/zone)")
      .text("format", global_.format, "FORMAT",
            "table, json, jsonl, yaml, csv, value, none; list has wide (help formats)")
      .text("fields", global_.fields, "A.B,C", "show these fields only: name,state.state")
      .text("color", global_.color, "WHEN",
            "auto, always or never (auto: on a terminal, unless NO_COLOR is set)")
      .text("endpoint", global_.endpoint, "URL", "another TPU API than https://tpu.googleapis.com")
      .text("access-token-file", global_.access_token_file, "FILE", "read the access token from this file")
      .text("impersonate-service-account", global_.impersonate_service_account, "EMAIL",
            "act as this service account; DELEGATE,...,EMAIL for a chain")
      .text("account", global_.account, "ACCOUNT", "which of gcloud's logins (else core/account)")
      .text("billing-project", global_.billing_project, "PROJECT", "count API calls against this project")
      .texts("allow-host", global_.allow_hosts, "HOST", "a token may also be sent to this host")
      .text("ca-file", global_.ca_file, "FILE", "trust these certificates instead of the system's (PEM)")
      .text("api-version", global_.api_version, "VERSION", "v2 or v2alpha1 (else what the fields need)")
      .text("config", global_.config, "FILE", "read settings from this slipway.yaml only")
      .text("log-format", global_.log_format, "FORMAT", "text or json, for what -v shows")
      .text("log-file", global_.log_file, "FILE", "append the log to this file instead of stderr");
  add_switch("--dry-run{request}", global_.dry_run,
             "change nothing, and show the request; =curl for a line to paste", FlagKind::kText);
  add_switch("-y,--yes", global_.yes, "do not ask", FlagKind::kSwitch);
  add_switch("-q,--quiet", global_.quiet, "only results and errors (it never means yes)", FlagKind::kSwitch);
  add_switch("-v,--verbose", global_.verbosity, "say what is sent and tried again", FlagKind::kText);
  app_->add_flag("-h,--help", help_, "show the help of a command");
  app_->add_flag("--version", version_, "show the version");
}

CLI::App& CommandLine::add_app(const std::string& path, const std::string& summary,
                               const std::string& details) {
  const std::vector<std::string> words = split(path, ' ');
  CLI::App* above = app_.get();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) above = above->get_subcommand(words[i]);
  CLI::App* sub = above->add_subcommand(words.back(), summary);
  sub->fallthrough();
  sub->allow_extras();
  sub->require_subcommand(0, 1);
  sub->set_help_flag();
  sub->footer(details);
  return *sub;
}

Flags CommandLine::add(const std::string& name, const std::string& summary, const std::string& details,
                       Action action) {
  CLI::App& app = add_app(name, summary, details);
  entries_.push_back({&app, name, std::move(action)});
  return Flags(app, facts_);
}

void CommandLine::add_group(const std::string& name, const std::string& summary, const std::string& details) {
  entries_.push_back({&add_app(name, summary, details), name, nullptr});
}

CommandLine::Entry* CommandLine::entry_of(const CLI::App* app) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.app == app; });
  return found == entries_.end() ? nullptr : &*found;
}

CLI::App* CommandLine::reached() const {
  CLI::App* at = app_.get();
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at;
}

std::string CommandLine::help_text(CLI::App& app) {
  const Entry* entry = entry_of(&app);
  return entry == nullptr ? program_help(*app_) : command_help(app, entry->name);
}

/// "slipway help run" is what many type first. "config" is a topic, "config explain" a command.
bool CommandLine::asks_for_command_help(const std::vector<std::string>& words) const {
  if (words.size() < 2 || words.front() != "help" || !is_command(*app_, words[1])) return false;
  const bool alone = words.size() == 2 || words[2].rfind('-', 0) == 0;
  const bool is_topic = std::find(help_topics_.begin(), help_topics_.end(), words[1]) != help_topics_.end();
  return !(alone && is_topic);
}

Result<CommandLine::Parsed> CommandLine::parse(const std::vector<std::string>& words) {
  std::vector<std::string> ours = words;
  const auto dashes = std::find(ours.begin(), ours.end(), "--");
  const bool remote =
      std::any_of(remote_argv_commands_.begin(), remote_argv_commands_.end(),
                  [&](const std::string& name) { return std::find(ours.begin(), dashes, name) != dashes; });
  if (dashes != ours.end() && remote) {
    after_dashes_.assign(dashes + 1, ours.end());
    ours.erase(dashes, ours.end());
  }
  if (asks_for_command_help(ours)) {
    ours.erase(ours.begin());
    ours.push_back("--help");
  }
  TRY(ours, words_with_values(*app_, ours));
  std::reverse(ours.begin(), ours.end());  // CLI11 takes them from the back
  try {
    app_->parse(ours);
  } catch (const CLI::ParseError& error) {
    Entry* entry = entry_of(reached());
    return usage_error(sentence_of(error), entry != nullptr ? entry->name : "");
  }

  CLI::App& at = *reached();
  if (version_) return Parsed{"", nullptr, version_text(), {}};
  if (help_) return Parsed{"", nullptr, help_text(at), {}};
  TRY(check_leftovers(at));
  TRY(fill_in(at));
  Entry* entry = entry_of(&at);
  if (entry == nullptr)
    return usage_error("say which command", "")
        .why(fmt::format("there are {}", fmt::join(subcommand_names(*app_), ", ")));
  if (!entry->action)
    return usage_error(fmt::format("say what to do: {}", fmt::join(subcommand_names(at), ", ")), entry->name);
  return Parsed{entry->name, entry->action, "", after_dashes_};
}

Result<void> CommandLine::check_leftovers(CLI::App& at) {
  const std::vector<std::string> left = app_->remaining(true);
  if (left.empty()) return {};
  const std::string& word = left.front();
  const Entry* entry = entry_of(&at);
  const std::string command = entry != nullptr ? entry->name : "";
  const bool is_flag = word.size() > 1 && word.front() == '-';

  std::vector<std::string> candidates;
  if (is_flag) {
    collect_names(*app_, candidates);
    if (&at != app_.get()) collect_names(at, candidates);
  } else {
    candidates = subcommand_names(at);
  }
  const std::string flag = word.substr(0, word.find('='));
  const std::string near = nearest(is_flag ? flag : word, candidates);
  const bool wants_command = !is_flag && !candidates.empty();
  Error error = usage_error(is_flag         ? fmt::format("there is no flag '{}'", printable(flag))
                            : wants_command ? fmt::format("there is no command '{}'", printable(word))
                                            : fmt::format("'{}' is one word too many", printable(word)),
                            command);
  if (!near.empty()) return std::move(error).why(fmt::format("did you mean '{}'?", near));
  return error;
}

}  // namespace slipway::cli
