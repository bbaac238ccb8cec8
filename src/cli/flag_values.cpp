#include "cli/flag_values.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// `text` cut at its separator: a comma, or what stands between two carets at its beginning (gcloud topic
/// escaping).
std::vector<std::string> pairs_of(std::string_view text) {
  const std::size_t end = text.size() > 2 && text[0] == '^' ? text.find('^', 1) : std::string_view::npos;
  if (end == std::string_view::npos || end == 1) return split(text, ',');
  const std::string separator(text.substr(1, end - 1));
  text.remove_prefix(end + 1);
  std::vector<std::string> parts;
  while (true) {
    const std::size_t next = text.find(separator);
    parts.emplace_back(text.substr(0, next));
    if (next == std::string_view::npos) return parts;
    text.remove_prefix(next + separator.size());
  }
}

}  // namespace

Result<std::map<std::string, std::string>> parse_dict(const std::string& flag,
                                                      const std::vector<std::string>& values) {
  std::map<std::string, std::string> dict;
  for (const std::string& value : values) {
    for (const std::string& pair : pairs_of(value)) {
      if (pair.empty()) continue;
      const std::size_t equals = pair.find('=');
      if (equals == std::string::npos || equals == 0) {
        return Error(ErrorCode::kUsage, fmt::format("{}: '{}' is not KEY=VALUE", flag, printable(pair)))
            .why("a value with a comma in it needs another separator: ^:^k=a,b:k2=c");
      }
      if (!dict.emplace(pair.substr(0, equals), pair.substr(equals + 1)).second) {
        return Error(ErrorCode::kUsage,
                     fmt::format("{}: the key '{}' is given twice", flag, printable(pair.substr(0, equals))));
      }
    }
  }
  return dict;
}

std::vector<std::string> parse_list(const std::vector<std::string>& values) {
  std::vector<std::string> list;
  for (const std::string& value : values) {
    for (std::string& word : split(value, ',')) {
      if (!word.empty()) list.push_back(std::move(word));
    }
  }
  return list;
}

Result<std::optional<std::chrono::milliseconds>> parse_limit(const std::string& text,
                                                             const std::string& flag) {
  if (text.empty()) return std::optional<std::chrono::milliseconds>();
  Result<std::chrono::milliseconds> limit = parse_duration(text);
  if (!limit.ok()) return std::move(limit).error().within(flag);
  return std::optional(*limit);
}

}  // namespace slipway::cli
