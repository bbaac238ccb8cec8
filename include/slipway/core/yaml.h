#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/core/result.h"

namespace slipway {

/// Where a value stands in its file, counted from 1.
struct YamlPlace {
  int line = 1;
  int column = 1;
};

/// One value of a YAML file that a person wrote, with its place, so that an error can point at it. Scalars
/// stay the text that was written: `yes`, `1e3` and `0644` are words until somebody asks for more.
struct YamlValue {
  enum class Kind { kNull, kScalar, kList, kMap };

  struct Entry;

  Kind kind = Kind::kNull;
  YamlPlace place;
  std::string text;              ///< of a scalar
  std::vector<YamlValue> items;  ///< of a list
  std::vector<Entry> entries;    ///< of a map, in the file's order; no key stands twice

  /// The value at `key` of a map; nullptr for none.
  const YamlValue* find(std::string_view key) const;
};

struct YamlValue::Entry {
  std::string key;
  YamlPlace place;  ///< of the key
  YamlValue value;
};

/// Reads one document; an empty one is kNull. Aliases are followed. Errors (kUsage), each beginning with
/// "<file>:<line>:<column>": not YAML, a key twice, a key that is no scalar, more than one document, more
/// than 64 levels or 100,000 values (aliases can multiply a short text without end).
Result<YamlValue> parse_yaml(std::string_view text, const std::string& file);

/// "<file>:<line>:<column>", as compilers write it, so that editors can jump there.
std::string yaml_position(const std::string& file, YamlPlace place);

}  // namespace slipway
