#include "cli/flag_layers.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "slipway/core/file.h"
#include "slipway/core/format.h"

namespace slipway::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "slipway.yaml";
constexpr int kEnvironmentRank = 1;  // the command line's is 0

/// The nearest slipway.yaml from the current folder upwards; empty for none.
std::string find_project_file() {
  std::error_code failure;
  for (fs::path folder = fs::current_path(failure); !failure && !folder.empty();
       folder = folder.parent_path()) {
    const std::string path = (folder / kFileName).string();
    if (file_exists(path)) return path;
    if (folder == folder.root_path()) break;
  }
  return "";
}

Result<void> check_owner(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};  // reading it will say why
  const bool ours = status.st_uid == ::geteuid() || status.st_uid == 0;
  if (ours && (status.st_mode & S_IWOTH) == 0) return {};
  return Error(ErrorCode::kUsage,
               fmt::format("'{}' is not read: {}", path,
                           ours ? "everybody may write to it" : "it belongs to another user"))
      .next(ours ? fmt::format("chmod o-w {}", path) : "slipway ... --config FILE   (a file of your own)");
}

}  // namespace

std::string user_settings_path() {
  if (const std::string base = env("XDG_CONFIG_HOME"); !base.empty()) return base + "/slipway/" + kFileName;
  const std::string home = home_directory();
  return home.empty() ? "" : home + "/.config/slipway/" + kFileName;
}

Result<FlagLayers> FlagLayers::open(const std::string& config_file) {
  FlagLayers layers;
  if (!config_file.empty()) {
    TRY(SettingsFile named, SettingsFile::load(config_file, SettingsFile::Trust::kUser));
    layers.files_.push_back(std::move(named));
    return layers;
  }
  const std::string user = user_settings_path();
  if (const std::string project = find_project_file(); !project.empty() && project != user) {
    TRY(check_owner(project));
    TRY(SettingsFile file, SettingsFile::load(project, SettingsFile::Trust::kProject));
    layers.files_.push_back(std::move(file));
  }
  if (!user.empty() && file_exists(user)) {
    TRY(SettingsFile file, SettingsFile::load(user, SettingsFile::Trust::kUser));
    layers.files_.push_back(std::move(file));
  }
  return layers;
}

Result<void> FlagLayers::check(const FlagCatalog& catalog) const {
  for (const SettingsFile& file : files_) TRY(file.check(catalog));
  return {};
}

Result<void> FlagLayers::put_first(const std::string& path, const FlagCatalog& catalog,
                                   const std::set<std::string>& not_in_it) {
  TRY(SettingsFile file, SettingsFile::load(path, SettingsFile::Trust::kNamed));
  TRY(file.check_typed(not_in_it));
  TRY(file.check(catalog));
  files_.insert(files_.begin(), std::move(file));
  return {};
}

Result<std::optional<LayerValue>> FlagLayers::value(const std::string& command, const std::string& flag,
                                                    const std::string& variable, FlagKind kind) const {
  if (!variable.empty()) {
    if (std::string text = env(variable); !text.empty())
      return std::optional(LayerValue{{std::move(text)}, variable, kEnvironmentRank});
  }
  int rank = kEnvironmentRank + 1;  // two for each file: a command's section, and the top
  for (const SettingsFile& file : files_) {
    TRY(std::optional<LayerValue> value, file.value(command, flag, kind));
    if (value) {
      value->rank += rank;
      return value;
    }
    rank += 2;
  }
  return std::optional<LayerValue>();
}

}  // namespace slipway::cli
