#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/settings_file.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace slipway::cli {

/// What CLI11 does not know of a flag: where else its value may come from, and in which form.
struct FlagFact {
  struct Rival {
    const CLI::Option* option;
    bool comes_first;  ///< in a sentence about both
  };

  std::string variable;  ///< SLIPWAY_<FLAG>; empty: from the command line only
  FlagKind kind = FlagKind::kText;
  std::vector<Rival> rivals;
  bool rivals_words_behind_dashes = false;
};
using FlagFacts = std::map<const CLI::Option*, FlagFact>;

/// The words and flags of one command, each bound to the value that it fills. Every flag can also be set by
/// SLIPWAY_<FLAG> (environment_name()) and in slipway.yaml (flag_layers.h).
class Flags {
 public:
  /// Both outlive it.
  Flags(CLI::App& app, FlagFacts& facts) : app_(app), facts_(facts) {}

  /// A word by its place: QR.
  Flags& word(const std::string& name, std::string& value, const std::string& help);
  /// One or more words at its place: NAME...
  Flags& words(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// --flag TYPE; given twice, the last counts. `environment` replaces SLIPWAY_<FLAG>. "f,file" is -f too.
  Flags& text(const std::string& flag, std::string& value, const std::string& type, const std::string& help,
              const std::string& environment = "");
  /// --flag TYPE, any number of times.
  Flags& texts(const std::string& flag, std::vector<std::string>& values, const std::string& type,
               const std::string& help);
  /// --flag K=V,K=V, any number of times (see parse_dict).
  Flags& pairs(const std::string& flag, std::vector<std::string>& values, const std::string& type,
               const std::string& help);
  /// --flag N, from `least` to `most`.
  Flags& number(const std::string& flag, int& value, const std::string& type, const std::string& help,
                int least, int most, const std::string& environment = "");
  /// --flag; "f,follow" is -f too.
  Flags& on(const std::string& flag, bool& value, const std::string& help);
  /// Each flag of `one` excludes each of `other`: both from the same layer are an error, and where one is
  /// said, a lower layer has no say about its rivals. "--" stands for the words behind it, of which the
  /// command judges itself.
  Flags& rivals(const std::vector<std::string>& one, const std::vector<std::string>& other);

 private:
  Flags& repeated(const std::string& flag, std::vector<std::string>& values, const std::string& type,
                  const std::string& help, FlagKind kind);

  CLI::App& app_;
  FlagFacts& facts_;
};

/// "batch-size" -> SLIPWAY_BATCH_SIZE. The command line wins over it. Empty for a flag that has none, because
/// commands on workers are told something by that name.
std::string environment_name(const std::string& flag);

}  // namespace slipway::cli
