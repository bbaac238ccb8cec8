#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/core/yaml.h"

namespace slipway::cli {

/// How the value of a flag is written in a file.
enum class FlagKind {
  kSwitch,    ///< true or false
  kText,      ///< one word; a list becomes words with commas
  kRepeated,  ///< one word, a list, or a map: each word as if the flag was given once for it
  kPairs,     ///< the same, for flags whose words are K=V with commas between them
};

/// The flags of every command by its first word; "" has those that hold everywhere.
using FlagCatalog = std::map<std::string, std::set<std::string>>;

/// What a layer below the command line says for a flag: words as the command line would have them.
struct LayerValue {
  std::vector<std::string> words;
  std::string origin;  ///< "SLIPWAY_ZONE", "/home/u/p/slipway.yaml:3:1"
  int rank = 0;        ///< the lower wins; of a file: 0 in the command's section, 1 at the top
};

/// One slipway.yaml. A key is a flag's name and holds for every command that has the flag; a map under a
/// command's name holds for that command only, and wins.
class SettingsFile {
 public:
  /// A project's file came with somebody's repository: project_trust.h says what it may not say.
  /// kNamed: the user named it for one command; its paths begin in its own folder too, and may leave it.
  enum class Trust { kProject, kUser, kNamed };

  static Result<SettingsFile> load(const std::string& path, Trust trust);

  /// Errors (kUsage), with file, line and column: a key that is no flag, a command's section with a flag that
  /// the command does not have, a flag that this file may not set.
  Result<void> check(const FlagCatalog& catalog) const;
  /// Errors (kUsage), in the same way: one of the flags that are about one call, and belong to its words.
  Result<void> check_typed(const std::set<std::string>& flags) const;

  /// Errors (kUsage): a value of another form than `kind` takes; in a project's file, a path out of it.
  Result<std::optional<LayerValue>> value(const std::string& command, const std::string& flag,
                                          FlagKind kind) const;

  const std::string& path() const { return path_; }

 private:
  Result<void> check_flag(const YamlValue::Entry& entry, const std::set<std::string>& flags) const;
  Result<std::vector<std::string>> words_of(const YamlValue::Entry& entry, FlagKind kind) const;
  Result<std::string> path_in_project(const YamlValue::Entry& entry, const std::string& word) const;
  std::string path_beside(const std::string& word) const;
  const YamlValue::Entry* find(const std::string& command, const std::string& flag) const;
  Error at(YamlPlace place, const std::string& what) const;

  std::string path_;
  Trust trust_ = Trust::kUser;
  YamlValue root_;
};

}  // namespace slipway::cli
