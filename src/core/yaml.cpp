#include "slipway/core/yaml.h"

#include <yaml-cpp/yaml.h>

#include <set>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway {
namespace {

constexpr int kMaxDepth = 64;
constexpr int kMaxValues = 100'000;

YamlPlace place_of(const YAML::Mark& mark) {
  return mark.is_null() ? YamlPlace{} : YamlPlace{mark.line + 1, mark.column + 1};
}

/// Whether the quoted scalar that begins at `start` of `text` ends in it. yaml-cpp 0.7 takes the end of the
/// file for the end of the quotes, and what stands between for the value.
bool is_closed(std::string_view text, std::size_t start) {
  const char quote = text[start];
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) return true;
      ++i;  // '' is one of them
    }
  }
  return false;
}

/// Turns yaml-cpp's nodes into values of ours, within the limits.
class Conversion {
 public:
  Conversion(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<YamlValue> convert(const YAML::Node& node, int depth) {
    YamlValue value;
    value.place = place_of(node.Mark());
    if (depth > kMaxDepth) return refuse(value.place, "nested deeper than 64 levels");
    if (++count_ > kMaxValues) return refuse(value.place, "more than 100,000 values");
    TRY(check_quotes(node));
    if (node.IsScalar()) {
      value.kind = YamlValue::Kind::kScalar;
      value.text = node.Scalar();
    } else if (node.IsSequence()) {
      TRY(fill_list(node, depth, value));
    } else if (node.IsMap()) {
      TRY(fill_map(node, depth, value));
    }
    return value;
  }

 private:
  Result<void> check_quotes(const YAML::Node& node) const {
    constexpr std::string_view kMark = "\xef\xbb\xbf";  // yaml-cpp counts from behind it
    if (!node.IsScalar() || node.Tag() != "!" || node.Mark().is_null()) return {};
    const std::size_t skipped = text_.substr(0, kMark.size()) == kMark ? kMark.size() : 0;
    std::size_t start = static_cast<std::size_t>(node.Mark().pos) + skipped;
    if (start < text_.size() && text_[start] == '&') start = text_.find_first_of("\"'", start);
    const bool quoted = start < text_.size() && (text_[start] == '"' || text_[start] == '\'');
    if (!quoted || is_closed(text_, start)) return {};
    return refuse(place_of(node.Mark()), fmt::format("the {} that begins here is not closed", text_[start]));
  }

  Result<void> fill_list(const YAML::Node& node, int depth, YamlValue& value) {
    value.kind = YamlValue::Kind::kList;
    for (const YAML::Node& item : node) {
      TRY(YamlValue converted, convert(item, depth + 1));
      value.items.push_back(std::move(converted));
    }
    return {};
  }

  Result<void> fill_map(const YAML::Node& node, int depth, YamlValue& value) {
    value.kind = YamlValue::Kind::kMap;
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const YamlPlace place = place_of(entry.first.Mark());
      if (!entry.first.IsScalar()) return refuse(place, "a key must be a word");
      TRY(check_quotes(entry.first));
      const std::string& key = entry.first.Scalar();
      if (!seen.insert(key).second)
        return refuse(place, fmt::format("the key '{}' stands twice", printable(key)));
      TRY(YamlValue converted, convert(entry.second, depth + 1));
      value.entries.push_back({key, place, std::move(converted)});
    }
    return {};
  }

  Error refuse(YamlPlace place, const std::string& what) const {
    return Error(ErrorCode::kUsage, fmt::format("{}: {}", yaml_position(file_, place), what));
  }

  std::string_view text_;
  const std::string& file_;
  int count_ = 0;
};

}  // namespace

const YamlValue* YamlValue::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::string yaml_position(const std::string& file, YamlPlace place) {
  return fmt::format("{}:{}:{}", file, place.line, place.column);
}

Result<YamlValue> parse_yaml(std::string_view text, const std::string& file) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.empty()) return YamlValue{};
    if (documents.size() > 1) {
      const YamlPlace place = place_of(documents[1].Mark());
      return Error(ErrorCode::kUsage, fmt::format("{}: there is a second document; only one is read",
                                                  yaml_position(file, place)));
    }
    return Conversion(text, file).convert(documents.front(), 0);
  } catch (const YAML::Exception& e) {
    return Error(ErrorCode::kUsage,
                 fmt::format("{}: not usable as YAML: {}", yaml_position(file, place_of(e.mark)), e.msg));
  } catch (const std::exception& e) {
    return Error(ErrorCode::kUsage, fmt::format("{}: not usable as YAML: {}", file, e.what()));
  }
}

}  // namespace slipway
