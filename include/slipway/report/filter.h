#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/json.h"
#include "slipway/core/result.h"
#include "slipway/report/field_path.h"

namespace slipway::report {

/// Names that stand for a longer path: NODE_COUNT for tpu.nodeSpec.len().
using Aliases = std::map<std::string, FieldPath>;

/// Which documents to show, in the language of gcloud's --filter (gcloud topic filters):
///   state.state=ACTIVE   name:train*   tpu.nodeSpec.node.acceleratorType~'v5.*'   createTime<-P1D
///   = != : ~ !~ < <= > >=, AND OR NOT, parentheses, -term; terms side by side are joined by AND.
class Filter {
 public:
  /// Times such as -P1D are counted from `now`. Errors (kUsage) show the place.
  static Result<Filter> parse(std::string_view text, std::chrono::system_clock::time_point now,
                              const Aliases& aliases = {});
  Filter();  ///< lets everything through
  ~Filter();
  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;

  bool matches(const Json& document) const;
  bool is_empty() const { return root_ == nullptr; }
  /// The fields that it compares.
  const std::vector<FieldPath>& fields() const { return fields_; }

  class Term;

 private:
  std::unique_ptr<Term> root_;
  std::vector<FieldPath> fields_;
};

}  // namespace slipway::report
