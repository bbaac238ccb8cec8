#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/json.h"

namespace slipway::tpu {

/// The first field of a document that was not what it should be; empty while all is well.
struct ShapeProblem {
  std::string text;
};

/// Reads one JSON object field by field. A field that is missing or null gives an empty value; one of another
/// kind is noted in `problem` with its path ("tpu.nodeSpec[2].nodeId is a number, not a string"), and the
/// reading goes on.
class JsonFields {
 public:
  JsonFields(const Json& value, std::string path, ShapeProblem& problem);

  bool has(std::string_view key) const { return find_member(*value_, key) != nullptr; }
  /// A number is taken as its text too: int64 may travel either way.
  std::string text(std::string_view key) const;
  std::int64_t number(std::string_view key, std::int64_t otherwise = 0) const;
  bool flag(std::string_view key) const;
  JsonFields object(std::string_view key) const;
  std::vector<JsonFields> objects(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  std::map<std::string, std::string> text_map(std::string_view key) const;

  const Json& value() const { return *value_; }
  const std::string& path() const { return path_; }
  void note(const std::string& what) const;

 private:
  std::string path_of(std::string_view key) const;
  void note_kind(const std::string& path, const Json& found, std::string_view wanted) const;
  const Json* array(std::string_view key) const;

  const Json* value_;
  std::string path_;
  ShapeProblem* problem_;
};

}  // namespace slipway::tpu
