#include "cli/command_line.h"

#include <algorithm>

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

Error usage(std::string message, const std::string& command) {
  return Error(ErrorCode::kUsage, std::move(message))
      .next(command.empty() ? "slipway --help" : fmt::format("slipway {} --help", command));
}

/// CLI11's own words where they are good; its type names are not.
std::string sentence_of(const CLI::ParseError& error) {
  std::string text = error.what();
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace

std::string environment_name(const std::string& flag) {
  std::string name = "SLIPWAY_";
  for (const char c : flag)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

CommandLine::CommandLine() : app_("slipway: queued resources, fan-out and jobs for Cloud TPU Multislice") {
  app_.name("slipway");
  app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app_.allow_extras();
  app_.set_help_flag();  // ours below: CLI11's would end the parse before unknown words are seen
  add_global_options();
}

void CommandLine::add_global_options() {
  const auto option = [&](const std::string& flag, std::string& value, const std::string& text,
                          const char* type) {
    app_.add_option("--" + flag, value, text)

        ->type_name(type)
        ->envname(environment_name(flag));
  };
  option("project", global_.project, "Google Cloud project (else gcloud's core/project)", "PROJECT");
  option("zone", global_.zone, "zone (else gcloud's compute/zone)", "ZONE");
  option("format", global_.format, "table, json or value (tab-separated, no header)", "FORMAT");
  option("endpoint", global_.endpoint, "another TPU API than https://tpu.googleapis.com", "URL");
  option("access-token-file", global_.access_token_file, "read the access token from this file", "FILE");
  option("log-format", global_.log_format, "text or json, for what -v shows", "FORMAT");
  option("log-file", global_.log_file, "append the log to this file instead of stderr", "FILE");
  app_.add_flag("--dry-run{request}", global_.dry_run,
                "show the request and send nothing; =curl for a line to paste");
  app_.add_flag("-y,--yes", global_.yes, "do not ask")->envname(environment_name("yes"));
  app_.add_flag("-q,--quiet", global_.quiet, "only results and errors (it never means yes)")

      ->envname(environment_name("quiet"));
  app_.add_flag("-v,--verbose", global_.verbosity, "say what is sent and retried; -vv for more");
  app_.add_flag("-h,--help", help_, "show the help of a command");
  app_.add_flag("--version", version_, "show the version");
}

CLI::App& CommandLine::add(const std::string& name, const std::string& summary, const std::string& details,
                           Action action, CLI::App* parent) {
  CLI::App& above = parent != nullptr ? *parent : app_;
  CLI::App* sub = above.add_subcommand(name, summary);
  sub->fallthrough();
  sub->allow_extras();
  sub->set_help_flag();
  sub->footer(details);
  entries_.push_back({sub, parent != nullptr ? parent->get_name() + " " + name : name, std::move(action)});
  return *sub;
}

CLI::App& CommandLine::add_group(const std::string& name, const std::string& summary) {
  return add(name, summary, "", nullptr);
}

CommandLine::Entry* CommandLine::entry_of(const CLI::App* app) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.app == app; });
  return found == entries_.end() ? nullptr : &*found;
}

CLI::App* CommandLine::reached() {
  CLI::App* at = &app_;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at;
}

std::string CommandLine::help_text(CLI::App& app) {
  const Entry* entry = entry_of(&app);
  return entry == nullptr ? program_help(app_) : command_help(app, entry->name, app_);
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
  std::reverse(ours.begin(), ours.end());  // CLI11 takes them from the back
  try {
    app_.parse(ours);
  } catch (const CLI::ParseError& error) {
    Entry* entry = entry_of(reached());
    return usage(sentence_of(error), entry != nullptr ? entry->name : "");
  }

  CLI::App& at = *reached();
  if (version_) return Parsed{"", nullptr, version_text(), {}};
  if (help_) return Parsed{"", nullptr, help_text(at), {}};
  TRY(check_leftovers(at));
  Entry* entry = entry_of(&at);
  if (entry == nullptr)
    return usage("say which command", "")
        .why(fmt::format("there are {}", fmt::join(subcommand_names(app_), ", ")));
  if (!entry->action)
    return usage(fmt::format("say what to do: {}", fmt::join(subcommand_names(at), ", ")), entry->name);
  return Parsed{entry->name, entry->action, "", after_dashes_};
}

Result<void> CommandLine::check_leftovers(CLI::App& at) {
  const std::vector<std::string> left = app_.remaining(true);
  if (left.empty()) return {};
  const std::string& word = left.front();
  const Entry* entry = entry_of(&at);
  const std::string command = entry != nullptr ? entry->name : "";
  const bool is_flag = word.size() > 1 && word.front() == '-';

  std::vector<std::string> candidates;
  if (is_flag) {
    collect_names(app_, candidates);
    if (&at != &app_) collect_names(at, candidates);
  } else {
    candidates = subcommand_names(at);
  }
  const std::string flag = word.substr(0, word.find('='));
  const std::string near = nearest(is_flag ? flag : word, candidates);
  const bool wants_command = !is_flag && !candidates.empty();
  Error error = usage(is_flag         ? fmt::format("there is no flag '{}'", printable(flag))
                      : wants_command ? fmt::format("there is no command '{}'", printable(word))
                                      : fmt::format("'{}' is one word too many", printable(word)),
                      command);
  if (!near.empty()) return std::move(error).why(fmt::format("did you mean '{}'?", near));
  return error;
}

}  // namespace slipway::cli
