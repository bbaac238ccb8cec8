#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/settings_file.h"

namespace slipway::cli {

/// Where a flag's value comes from when the command line does not give it: the environment, then the
/// project's slipway.yaml, then the user's. gcloud's configuration and the defaults come after these
/// (settings.h).
class FlagLayers {
 public:
  /// Reads `config_file` alone when it is named; else the slipway.yaml of this folder or of the nearest one
  /// above that has it, and the user's ($XDG_CONFIG_HOME or ~/.config, slipway/slipway.yaml). A project's
  /// file that belongs to another user (but root) is refused: anyone could lay one into a shared folder.
  /// Errors: kUsage.
  static Result<FlagLayers> open(const std::string& config_file);

  Result<void> check(const FlagCatalog& catalog) const;
  /// A file that the user named for one command: it counts before all others. Its keys are those of
  /// `catalog`, but `not_in_it`.
  Result<void> put_first(const std::string& path, const FlagCatalog& catalog,
                         const std::set<std::string>& not_in_it);
  /// The first layer that says something, with its rank among all layers, of which 0 is the command line's. A
  /// variable that is empty says nothing.
  Result<std::optional<LayerValue>> value(const std::string& command, const std::string& flag,
                                          const std::string& variable, FlagKind kind) const;

  const std::vector<SettingsFile>& files() const { return files_; }

 private:
  std::vector<SettingsFile> files_;  ///< the first wins
};

/// The user's own file, whether it is there or not; empty without a home.
std::string user_settings_path();

}  // namespace slipway::cli
