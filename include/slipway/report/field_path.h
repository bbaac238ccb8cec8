#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/json.h"
#include "slipway/core/result.h"

namespace slipway::report {

class ExpressionCursor;

/// A place in a JSON document in gcloud's notation: state.state, tpu.nodeSpec[].node.acceleratorType,
/// tpu.nodeSpec[0].nodeId, labels."a.b". A list without [] stands for all of its items, and a name may be
/// camelCase or snake_case. Of gcloud's transforms there are basename(), segment(N) and len(), and of its
/// attributes :label=NAME.
class FieldPath {
 public:
  /// One place, alone. Errors (kUsage) begin with `what`.
  static Result<FieldPath> parse(const std::string& what, std::string_view text);
  /// "a.b,c", one at least.
  static Result<std::vector<FieldPath>> parse_list(const std::string& what, std::string_view text);
  /// Reads one where `cursor` stands, with or without its transforms and attributes.
  enum class Extent { kNameOnly, kTransforms, kAll };
  static Result<FieldPath> read(ExpressionCursor& cursor, Extent extent);
  /// A path of nothing but names.
  static FieldPath of(std::initializer_list<std::string_view> names);

  /// What is there: null when nothing is, an array of what each item has where the path goes through a list.
  Json find(const Json& document) const;
  /// Copies what is there into `copy`, with the objects and lists around it.
  void copy_to(const Json& document, Json& copy) const;

  /// The name that a column of it has: the label, else the last name.
  std::string label() const;
  /// Column heads as gcloud's tables have them: nodeCount -> NODE_COUNT.
  std::string heading() const;
  /// The path as it was written, without attributes.
  const std::string& text() const { return text_; }
  /// A lone name without a transform, which a filter that compares nothing takes for a word.
  bool is_plain_word() const { return steps_.size() == 1 && transforms_.empty(); }
  /// Replaces a first name that stands for a longer path.
  FieldPath with_first(const FieldPath& replacement) const;
  const std::string& first_name() const { return steps_.front().name; }

 private:
  struct Step {
    enum class Kind { kName, kIndex, kEach } kind = Kind::kName;
    std::string name;
    long index = 0;
  };
  struct Transform {
    enum class Kind { kBasename, kSegment, kLen } kind = Kind::kBasename;
    long index = 0;
  };
  using Steps = std::vector<Step>;

  static Json find_from(const Json& at, const Steps& steps, std::size_t next);
  static Json find_in_list(const Json& list, const Steps& steps, std::size_t next);
  void copy_from(const Json& at, std::size_t next, Json& copy) const;
  void copy_items(const Json& list, std::size_t next, Json& copy) const;
  Json transformed(Json value) const;
  static Json apply(const Transform& transform, const Json& value);
  static Result<Step> read_brackets(ExpressionCursor& cursor);
  static Result<Transform> read_transform(ExpressionCursor& cursor, const std::string& name, std::size_t at);
  Result<void> read_attributes(ExpressionCursor& cursor);

  Steps steps_;
  std::vector<Transform> transforms_;
  std::optional<std::string> label_;
  std::string text_;
};

/// The documents' parts that `fields` name, in one document of the same shape: --format json with --fields.
Json project(const Json& document, const std::vector<FieldPath>& fields);

}  // namespace slipway::report
