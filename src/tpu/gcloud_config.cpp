#include "slipway/tpu/gcloud_config.h"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"

namespace slipway::tpu {
namespace {

constexpr std::size_t kMaxConfigFile = std::size_t{1} << 20;

std::string find_folder() {
  if (std::string folder = env("CLOUDSDK_CONFIG"); !folder.empty()) return folder;
  const std::string home = home_directory();
  return home.empty() ? "" : home + "/.config/gcloud";
}

/// The content of a file that may be missing.
std::string read_optional(const std::string& path) {
  if (!file_exists(path)) return "";
  Result<std::string> content = read_file(path, kMaxConfigFile);
  if (content.ok()) return std::move(content).value();
  log(LogLevel::kWarning, fmt::format("gcloud's settings are ignored: {}", content.error().message()));
  return "";
}

std::string active_configuration(const std::string& folder) {
  std::string name = env("CLOUDSDK_ACTIVE_CONFIG_NAME");
  if (name.empty()) name = std::string(trim(read_optional(folder + "/active_config")));
  return name.empty() ? "default" : name;
}

/// gcloud's own grammar for names; anything else could lead out of the folder.
bool is_configuration_name(const std::string& name) {
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') return false;
  }
  return !name.empty();
}

/// configparser writes a percent sign twice.
std::string unescaped(std::string value) {
  for (std::size_t at = value.find("%%"); at != std::string::npos; at = value.find("%%", at + 1))
    value.erase(at, 1);
  return value;
}

/// The INI dialect of Python's configparser, as far as gcloud writes it: [section], key = value, # and ;
/// comments.
std::map<std::string, std::string> parse_ini(const std::string& text) {
  std::map<std::string, std::string> values;
  std::string section;
  for (const std::string& raw : split(text, '\n')) {
    const std::string_view line = trim(raw);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[' && line.back() == ']') {
      section = std::string(trim(line.substr(1, line.size() - 2)));
      continue;
    }
    const std::size_t separator = line.find_first_of("=:");
    if (separator == std::string_view::npos || section.empty()) continue;
    const std::string key = to_lower(trim(line.substr(0, separator)));
    values[section + '/' + key] = unescaped(std::string(trim(line.substr(separator + 1))));
  }
  return values;
}

/// gcloud's installation: the nearest folder with ".install" in it, from the program upwards (Paths.sdk_root
/// in its core/config.py). Empty without one, as for a distribution that packs it differently.
std::string find_installation() {
  namespace fs = std::filesystem;
  std::error_code failure;
  fs::path at = env("CLOUDSDK_ROOT_DIR");
  if (at.empty()) {
    for (const std::string& folder : split(env("PATH"), ':')) {
      const fs::path program = fs::path(folder) / "gcloud";
      if (folder.empty() || ::access(program.c_str(), X_OK) != 0) continue;
      at = fs::canonical(program, failure).parent_path();
      break;
    }
  }
  for (; !at.empty(); at = at.parent_path()) {
    if (fs::exists(at / ".install", failure)) return at.string();
    if (at == at.root_path()) break;
  }
  return "";
}

std::string variable_name(std::string_view section, std::string_view name) {
  std::string variable = fmt::format("CLOUDSDK_{}_{}", section, name);
  for (char& c : variable) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

}  // namespace

GcloudConfig GcloudConfig::load() {
  GcloudConfig config;
  if (const std::string installation = find_installation(); !installation.empty())
    config.read(installation + "/properties");
  config.folder_ = find_folder();
  if (config.folder_.empty()) return config;
  const std::string name = active_configuration(config.folder_);
  if (name == "NONE") return config;
  if (!is_configuration_name(name)) {
    log(LogLevel::kWarning,
        fmt::format("gcloud's settings are ignored: '{}' is no name of a configuration", printable(name)));
    return config;
  }
  config.read(config.folder_ + "/configurations/config_" + name);
  return config;
}

void GcloudConfig::read(const std::string& file) {
  for (auto& [key, value] : parse_ini(read_optional(file)))
    values_[key] = GcloudProperty{std::move(value), file};
}

std::optional<GcloudProperty> GcloudConfig::property(std::string_view section, std::string_view name) const {
  const std::string variable = variable_name(section, name);
  if (const char* value = std::getenv(variable.c_str()); value != nullptr)
    return GcloudProperty{value, variable};
  const auto found = values_.find(fmt::format("{}/{}", section, name));
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace slipway::tpu
