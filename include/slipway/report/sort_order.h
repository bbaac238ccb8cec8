#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/json.h"
#include "slipway/core/result.h"
#include "slipway/report/filter.h"

namespace slipway::report {

/// --sort-by a.b,~c: the first field decides, ~ turns its order round. Nothing stands before something,
/// numbers (also those that travel as strings) before texts, and v4-8 before v4-16. A list counts by its
/// first item.
class SortOrder {
 public:
  static Result<SortOrder> parse(std::string_view text, const Aliases& aliases = {});
  bool is_empty() const { return keys_.empty(); }

  /// The fields that it looks at.
  std::vector<FieldPath> fields() const {
    std::vector<FieldPath> fields;
    for (const Key& key : keys_) fields.push_back(key.path);
    return fields;
  }
  /// What a document is sorted by.
  std::vector<Json> key_of(const Json& document) const;
  bool before(const std::vector<Json>& left, const std::vector<Json>& right) const;

 private:
  struct Key {
    FieldPath path;
    bool descending = false;
  };
  std::vector<Key> keys_;
};

/// -1, 0 or 1. Runs of digits compare as numbers, all else byte by byte: v4-8 before v4-16.
int compare_naturally(std::string_view left, std::string_view right);

}  // namespace slipway::report
