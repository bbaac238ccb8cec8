#include "cli/settings_file.h"

#include "cli/project_trust.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

using Kind = YamlValue::Kind;

constexpr std::size_t kMaxFile = std::size_t{1} << 20;

constexpr const char* kWhyClosed =
    "it may have come with somebody's repository; this belongs to the user's own file, the environment or "
    "the "
    "command line";

const YamlValue::Entry* entry_at(const YamlValue& map, const std::string& key) {
  for (const YamlValue::Entry& entry : map.entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

/// "K=V" for a flag that cuts its word at commas: another separator where the value has one (see
/// flag_values.h).
std::string pair_word(const std::string& key, const std::string& value, FlagKind kind) {
  const std::string pair = key + "=" + value;
  return kind == FlagKind::kPairs && pair.find(',') != std::string::npos ? "^\x1f^" + pair : pair;
}

std::set<std::string> all_flags(const FlagCatalog& catalog) {
  std::set<std::string> all;
  for (const auto& [command, flags] : catalog) all.insert(flags.begin(), flags.end());
  return all;
}

}  // namespace

Result<SettingsFile> SettingsFile::load(const std::string& path, Trust trust) {
  SettingsFile file;
  file.path_ = path;
  file.trust_ = trust;
  TRY(const std::string text, read_file(path, kMaxFile));
  TRY(file.root_, parse_yaml(text, path));
  if (file.root_.kind != Kind::kMap && file.root_.kind != Kind::kNull) {
    return file.at(file.root_.place, "this file must be a map of flags, such as `zone: us-central2-b`");
  }
  return file;
}

Error SettingsFile::at(YamlPlace place, const std::string& what) const {
  return Error(ErrorCode::kUsage, fmt::format("{}: {}", yaml_position(path_, place), what))
      .next("slipway help config");
}

Result<void> SettingsFile::check_flag(const YamlValue::Entry& entry,
                                      const std::set<std::string>& flags) const {
  if (flags.count(entry.key) == 0) {
    const std::string near = nearest(entry.key, {flags.begin(), flags.end()});
    Error error = at(entry.place, fmt::format("there is no flag '{}'", printable(entry.key)));
    return near.empty() ? std::move(error) : std::move(error).why(fmt::format("did you mean '{}'?", near));
  }
  if (trust_ == Trust::kProject && !project_may_set(entry.key)) {
    return at(entry.place, fmt::format("a project's file cannot set '{}'", entry.key)).why(kWhyClosed);
  }
  return {};
}

Result<void> SettingsFile::check_typed(const std::set<std::string>& flags) const {
  for (const YamlValue::Entry& entry : root_.entries) {
    if (flags.count(entry.key) > 0)
      return at(entry.place, fmt::format("'{}' is for the command line", entry.key))
          .why("it is about one call, and this file about all of them")
          .next(fmt::format("--{}", entry.key));
  }
  return {};
}

Result<void> SettingsFile::check(const FlagCatalog& catalog) const {
  const std::set<std::string> all = all_flags(catalog);
  for (const YamlValue::Entry& entry : root_.entries) {
    const auto command = catalog.find(entry.key);
    if (entry.value.kind != Kind::kMap || command == catalog.end()) {
      std::set<std::string> known = all;
      if (entry.value.kind == Kind::kMap) {
        for (const auto& [name, flags] : catalog) known.insert(name);  // for "did you mean"
      }
      TRY(check_flag(entry, known));
      continue;
    }
    std::set<std::string> flags = command->second;
    flags.insert(catalog.at("").begin(), catalog.at("").end());
    for (const YamlValue::Entry& inner : entry.value.entries) TRY(check_flag(inner, flags));
  }
  return {};
}

const YamlValue::Entry* SettingsFile::find(const std::string& command, const std::string& flag) const {
  const YamlValue* section = command.empty() ? nullptr : root_.find(command);
  if (section != nullptr && section->kind == Kind::kMap) {
    if (const YamlValue::Entry* entry = entry_at(*section, flag)) return entry;
  }
  return entry_at(root_, flag);
}

Result<std::vector<std::string>> SettingsFile::words_of(const YamlValue::Entry& entry, FlagKind kind) const {
  const YamlValue& value = entry.value;
  if (value.kind == Kind::kNull) return at(value.place, fmt::format("'{}' has no value", entry.key));
  if (kind == FlagKind::kSwitch && value.text != "true" && value.text != "false") {
    return at(value.place, fmt::format("'{}' is true or false", entry.key));
  }
  if (value.kind == Kind::kScalar) return std::vector<std::string>{value.text};

  std::vector<std::string> words;
  for (const YamlValue& item : value.items) {
    if (item.kind != Kind::kScalar) return at(item.place, fmt::format("'{}' takes words", entry.key));
    words.push_back(item.text);
  }
  for (const YamlValue::Entry& pair : value.entries) {
    if (kind == FlagKind::kText) return at(pair.place, fmt::format("'{}' takes one word", entry.key));
    if (pair.value.kind != Kind::kScalar)
      return at(pair.value.place, fmt::format("'{}' needs a word here", pair.key));
    words.push_back(pair_word(pair.key, pair.value.text, kind));
  }
  if (kind != FlagKind::kText) return words;
  return std::vector<std::string>{fmt::format("{}", fmt::join(words, ","))};
}

std::string SettingsFile::path_beside(const std::string& word) const {
  const std::size_t slash = path_.rfind('/');
  const bool is_file = path_.rfind("/dev/", 0) != 0;  // a pipe stands in no folder
  const bool stays = slash == std::string::npos || !is_file || word.empty() || word.front() == '/' ||
                     word.rfind("gs://", 0) == 0 || word.rfind("git+", 0) == 0;
  return stays ? word : path_.substr(0, slash + 1) + word;
}

Result<std::string> SettingsFile::path_in_project(const YamlValue::Entry& entry,
                                                  const std::string& word) const {
  const std::size_t slash = path_.rfind('/');
  Result<std::string> path = project_path(slash == std::string::npos ? "" : path_.substr(0, slash + 1), word);
  if (path.ok()) return path;
  return at(entry.value.place, fmt::format("{}: {}", entry.key, path.error().message()))
      .why(
          "a project's file may name what lies in its own folder and is not hidden; the rest is the user's "
          "to say");
}

Result<std::optional<LayerValue>> SettingsFile::value(const std::string& command, const std::string& flag,
                                                      FlagKind kind) const {
  const YamlValue::Entry* entry = find(command, flag);
  if (entry == nullptr) return std::optional<LayerValue>();
  TRY(std::vector<std::string> words, words_of(*entry, kind));
  if (trust_ == Trust::kProject && is_project_path(command, flag)) {
    for (std::string& word : words) {
      TRY(word, path_in_project(*entry, word));
    }
  }
  if (trust_ == Trust::kNamed && is_project_path(command, flag)) {
    for (std::string& word : words) word = path_beside(word);
  }
  const bool at_the_top = entry == entry_at(root_, flag);
  return std::optional(LayerValue{std::move(words), yaml_position(path_, entry->place), at_the_top ? 1 : 0});
}

}  // namespace slipway::cli
