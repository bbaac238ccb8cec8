#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/flag_layers.h"
#include "cli/flags.h"
#include "cli/services.h"
#include "cli/settings.h"
#include "slipway/core/result.h"

namespace slipway::cli {

/// What the words of one command lead to; the number is the exit code.
using Action = std::function<Result<int>(Services&, const GlobalOptions&)>;

/// One flag as it stands: what `config explain` shows.
struct FlagState {
  std::string flag;
  std::string value;
  std::string origin;  ///< "command line", "SLIPWAY_ZONE", "/p/slipway.yaml:3:1"; empty when nobody says it
};

/// The commands and their flags over CLI11, which cuts the words and nothing more: exit codes, error texts,
/// the layers below the command line and what is required are ours.
class CommandLine {
 public:
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// A command, or below a group "emulator" the command "emulator start". `summary` is its line in the list
  /// of commands; `details` follow the flags in its help and end in examples.
  Flags add(const std::string& name, const std::string& summary, const std::string& details, Action action);
  /// A word that only groups others, which are added as "<name> <word>".
  void add_group(const std::string& name, const std::string& summary, const std::string& details);

  struct Parsed {
    std::string command;  ///< "create", "emulator start"; empty for help and version
    Action action;        ///< empty when `text` is all
    std::string text;     ///< help or version, for stdout
    std::vector<std::string> after_dashes;
  };
  /// `words` are argv without the program's name; flags that they do not give are taken from the environment
  /// and the settings files. Errors (kUsage) name the nearest right word.
  Result<Parsed> parse(const std::vector<std::string>& words);

  /// The flags of `command` ("" for those that hold everywhere) with what a run of it would take, after
  /// parse(). Errors (kUsage): no such command, a value that the flag does not take.
  Result<std::vector<FlagState>> explain(const std::string& command);
  /// `error` of a command's action, with the layer behind each flag that it names and that nobody typed:
  /// "--output (SLIPWAY_OUTPUT): there is no 'foo'".
  Error with_origins(const Error& error) const;
  /// The settings files that parse() read, the first wins.
  const std::vector<SettingsFile>& settings_files() const { return layers_.files(); }
  std::vector<std::string> command_names() const;

  GlobalOptions& global() { return global_; }
  /// What stood behind "--", for commands that take a remote command line.
  const std::vector<std::string>& after_dashes() const { return after_dashes_; }
  /// Lets `command` take words behind "--"; all others read them as positionals.
  void takes_remote_argv(const std::string& command) { remote_argv_commands_.push_back(command); }
  /// Lets `help TOPIC` reach the command help; `help` on any other command is that command's --help.
  void has_help_on(const std::string& topic) { help_topics_.push_back(topic); }
  /// Lets --`flag` of `command` name a file whose keys are flags of this command: what it says counts before
  /// slipway.yaml, and after the environment. `not_in_it` are about one call, and are typed.
  void takes_flag_file(const std::string& command, const std::string& flag,
                       std::set<std::string> not_in_it = {}) {
    flag_file_flags_[command] = {flag, std::move(not_in_it)};
  }

 private:
  struct Entry {
    CLI::App* app;
    std::string name;
    Action action;
  };

  void add_global_options();
  CLI::App& add_app(const std::string& path, const std::string& summary, const std::string& details);
  bool asks_for_command_help(const std::vector<std::string>& words) const;
  CLI::App* reached() const;
  Result<void> check_leftovers(CLI::App& reached_app);
  std::string help_text(CLI::App& app);
  FlagCatalog flag_catalog() const;
  Result<void> read_flag_file(CLI::App& at);
  /// A flag and what some layer says for it.
  struct Said {
    CLI::Option* option;
    LayerValue value;
  };
  struct Origin {
    std::string text;
    int rank = 0;  ///< of its layer: 0 is the command line's
  };

  /// What the layers below the command line say for the flags of `at` and of what stands above it.
  Result<void> fill_in(CLI::App& at);
  Result<void> fill_in(CLI::Option& option, const std::string& command);
  /// Adds what the highest layer says for each flag of `app` that has no value yet.
  Result<void> collect(CLI::App& app, const std::string& command, std::vector<Said>& said);
  Result<void> collect(CLI::Option& option, const std::string& command, std::vector<Said>& said);
  /// Gives the flags their values, the highest layer first, so that a lower one is not asked about rivals.
  Result<void> take_all(std::vector<Said> said);
  Result<void> take(const Said& said);
  Result<bool> has_better_rival(const Said& said) const;
  CLI::App* find_app(const std::string& path);
  Entry* entry_of(const CLI::App* app);

  std::unique_ptr<CLI::App> app_;  ///< CLI11 stays in the files that need it: it costs 3 s of compile time
  GlobalOptions global_;
  bool help_ = false;
  bool version_ = false;
  std::vector<Entry> entries_;
  FlagFacts facts_;
  FlagLayers layers_;
  std::map<const CLI::Option*, Origin> origins_;
  std::vector<std::string> after_dashes_;
  std::vector<std::string> remote_argv_commands_;
  std::vector<std::string> help_topics_;
  struct FlagFile {
    std::string flag;
    std::set<std::string> not_in_it;
  };
  std::map<std::string, FlagFile> flag_file_flags_;  ///< by command
};

/// The commands, listed: the only place that knows them all.
void add_all_commands(CommandLine& line);

}  // namespace slipway::cli
