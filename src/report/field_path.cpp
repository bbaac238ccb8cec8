#include "slipway/report/field_path.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "report/expression_cursor.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

// Names with one of these stand in quotes (gcloud topic filters).
constexpr std::string_view kReserved = ":=!<>~()[].{},+*/%&|^#;?";

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// node_spec -> nodeSpec.
std::string camel_case(std::string_view name) {
  std::string camel;
  bool raise = false;
  for (const char c : name) {
    if (c == '_') {
      raise = true;
      continue;
    }
    camel += raise ? upper(c) : c;
    raise = false;
  }
  return camel;
}

/// nodeSpec -> node_spec.
std::string snake_case(std::string_view name) {
  std::string snake;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i > 0 && is_upper(name[i]) && !is_upper(name[i - 1])) snake += '_';
    snake += lower(name[i]);
  }
  return snake;
}

/// The member of this name in any of the two spellings.
const Json* member(const Json& object, const std::string& name) {
  if (const Json* found = find_member(object, name)) return found;
  if (const Json* found = find_member(object, camel_case(name))) return found;
  return find_member(object, snake_case(name));
}

std::optional<long> whole_number(std::string_view text) {
  long number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const Json* item(const Json& list, long index) {
  const long size = static_cast<long>(list.size());
  if (index < 0) index += size;
  return index < 0 || index >= size ? nullptr : &list[static_cast<std::size_t>(index)];
}

bool is_empty(const Json& value) {
  return value.is_null() || value.empty() ||
         (value.is_string() && value.get_ref<const std::string&>().empty());
}

}  // namespace

Result<FieldPath> FieldPath::parse(const std::string& what, std::string_view text) {
  ExpressionCursor cursor(what, text);
  TRY(FieldPath path, read(cursor, Extent::kAll));
  if (cursor.skip_blanks()) return cursor.error("one field, and no more");
  return path;
}

Result<std::vector<FieldPath>> FieldPath::parse_list(const std::string& what, std::string_view text) {
  std::vector<FieldPath> paths;
  ExpressionCursor cursor(what, text);
  do {
    TRY(FieldPath path, read(cursor, Extent::kAll));
    paths.push_back(std::move(path));
    cursor.skip_blanks();
  } while (cursor.take(','));
  if (!cursor.at_end()) return cursor.error("fields are separated by commas");
  return paths;
}

FieldPath FieldPath::of(std::initializer_list<std::string_view> names) {
  FieldPath path;
  for (const std::string_view name : names) {
    path.steps_.push_back({Step::Kind::kName, std::string(name), 0});
    path.text_ += fmt::format("{}{}", path.text_.empty() ? "" : ".", name);
  }
  return path;
}

Result<FieldPath::Step> FieldPath::read_brackets(ExpressionCursor& cursor) {
  const std::size_t at = cursor.position();
  TRY(const std::optional<std::string> inside, cursor.word("]"));
  cursor.skip_blanks();
  if (!cursor.take(']')) return cursor.error("the bracket is not closed", at - 1);
  if (!inside) return Step{Step::Kind::kEach, "", 0};
  if (const auto index = whole_number(*inside)) return Step{Step::Kind::kIndex, "", *index};
  return Step{Step::Kind::kName, *inside, 0};
}

Result<FieldPath::Transform> FieldPath::read_transform(ExpressionCursor& cursor, const std::string& name,
                                                       std::size_t at) {
  TRY(const std::optional<std::string> argument, cursor.word(")"));
  cursor.skip_blanks();
  if (!cursor.take(')')) return cursor.error("')' is missing");
  if (name == "basename" && !argument) return Transform{Transform::Kind::kBasename, 0};
  if (name == "len" && !argument) return Transform{Transform::Kind::kLen, 0};
  const auto index = whole_number(argument.value_or("0"));
  if (name == "segment" && index) return Transform{Transform::Kind::kSegment, *index};
  return cursor.error(fmt::format("there is no transform {}({}); there are basename(), segment(N) and len()",
                                  name, argument.value_or("")),
                      at);
}

Result<void> FieldPath::read_attributes(ExpressionCursor& cursor) {
  while (cursor.peek() == ':') {
    const std::size_t at = cursor.position();
    cursor.take(':');
    TRY(const std::optional<std::string> name, cursor.word("=:,)"));
    if (name.value_or("") != "label" || !cursor.take('=')) {
      return cursor.error("behind a field there may be :label=NAME, and nothing else", at);
    }
    TRY(label_, cursor.word(":,)"));
  }
  return {};
}

Result<FieldPath> FieldPath::read(ExpressionCursor& cursor, Extent extent) {
  FieldPath path;
  cursor.skip_blanks();
  while (true) {
    const std::size_t at = cursor.position();
    TRY(std::optional<std::string> name, cursor.word(kReserved));
    if (name && !name->empty()) {
      if (extent != Extent::kNameOnly && cursor.take('(')) {
        TRY(Transform transform, read_transform(cursor, *name, at));
        path.transforms_.push_back(transform);
      } else if (!path.transforms_.empty()) {
        return cursor.error("behind a transform there may be another one, but no field", at);
      } else {
        path.steps_.push_back({Step::Kind::kName, std::move(*name), 0});
      }
    } else if (cursor.peek() != '[') {
      return cursor.error("the name of a field is missing", at);
    }
    while (path.transforms_.empty() && cursor.take('[')) {
      TRY(Step step, read_brackets(cursor));
      path.steps_.push_back(std::move(step));
    }
    path.text_ += path.text_.empty() ? "" : ".";
    path.text_ += cursor.between(at, cursor.position());
    if (!cursor.take('.')) break;
  }
  if (path.steps_.empty()) return cursor.error("a transform needs a field before it");
  if (extent == Extent::kAll) TRY(path.read_attributes(cursor));
  return path;
}

Json FieldPath::find(const Json& document) const { return transformed(find_from(document, steps_, 0)); }

Json FieldPath::find_from(const Json& at, const Steps& steps, std::size_t next) {
  if (next == steps.size()) return at;
  if (at.is_array()) return find_in_list(at, steps, next);
  if (!at.is_object()) return nullptr;
  const Step& step = steps[next];
  if (step.kind == Step::Kind::kEach) {
    if (next + 1 == steps.size()) return at;
    Json values = Json::array();
    for (const Json& value : at) values.push_back(find_from(value, steps, next + 1));
    return values;
  }
  const Json* found = step.kind == Step::Kind::kName ? member(at, step.name) : nullptr;
  return found == nullptr ? Json() : find_from(*found, steps, next + 1);
}

Json FieldPath::find_in_list(const Json& list, const Steps& steps, std::size_t next) {
  const Step& step = steps[next];
  if (step.kind == Step::Kind::kIndex) {
    const Json* found = item(list, step.index);
    return found == nullptr ? Json() : find_from(*found, steps, next + 1);
  }
  // A name where a list stands: it is looked for in every item.
  const std::size_t rest = step.kind == Step::Kind::kEach ? next + 1 : next;
  if (rest == steps.size()) return list;
  Json values = Json::array();
  bool anything = false;
  for (const Json& value : list) {
    values.push_back(find_from(value, steps, rest));
    anything = anything || !values.back().is_null();
  }
  return anything || step.kind == Step::Kind::kEach ? values : Json();
}

void FieldPath::copy_from(const Json& at, std::size_t next, Json& copy) const {
  if (next == steps_.size()) {
    copy = transformed(at);
    return;
  }
  const Step& step = steps_[next];
  if (at.is_array()) {
    copy_items(at, next, copy);
  } else if (at.is_object() && step.kind == Step::Kind::kEach) {
    copy_from(at, next + 1, copy);
  } else if (at.is_object() && step.kind == Step::Kind::kName) {
    for (const auto& entry : at.items()) {
      if (&entry.value() != member(at, step.name)) continue;
      if (!copy.is_object()) copy = Json::object();
      copy_from(entry.value(), next + 1, copy[entry.key()]);
    }
  }
}

void FieldPath::copy_items(const Json& list, std::size_t next, Json& copy) const {
  const Step& step = steps_[next];
  const Json* only = step.kind == Step::Kind::kIndex ? item(list, step.index) : nullptr;
  if (step.kind == Step::Kind::kIndex && only == nullptr) return;
  if (!copy.is_array()) copy = Json::array();
  // Each item keeps its place, so that several fields of one item meet in one object.
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (copy.size() <= i) copy.push_back(nullptr);
    if (only != nullptr && only != &list[i]) continue;
    copy_from(list[i], step.kind == Step::Kind::kName ? next : next + 1, copy[i]);
  }
}

void FieldPath::copy_to(const Json& document, Json& copy) const { copy_from(document, 0, copy); }

Json FieldPath::transformed(Json value) const {
  for (const Transform& transform : transforms_) value = apply(transform, value);
  return value;
}

Json FieldPath::apply(const Transform& transform, const Json& value) {
  if (transform.kind == Transform::Kind::kLen) {
    if (value.is_string()) return display_width(value.get_ref<const std::string&>());
    return value.is_structured() ? value.size() : 0;
  }
  if (value.is_array()) {
    Json values = Json::array();
    for (const Json& one : value) values.push_back(apply(transform, one));
    return values;
  }
  if (!value.is_string() || is_empty(value)) return value;
  const std::vector<std::string> parts = split(value.get_ref<const std::string&>(), '/');
  if (transform.kind == Transform::Kind::kBasename) return parts.back();
  const long size = static_cast<long>(parts.size());
  const long index = transform.index < 0 ? transform.index + size : transform.index;
  return index < 0 || index >= size ? std::string() : parts[static_cast<std::size_t>(index)];
}

std::string FieldPath::label() const {
  if (label_) return *label_;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (step->kind == Step::Kind::kName) return step->name;
  }
  return text_;
}

std::string FieldPath::heading() const {
  if (label_) return *label_;
  std::string heading = snake_case(label());
  std::transform(heading.begin(), heading.end(), heading.begin(), upper);
  return heading;
}

FieldPath FieldPath::with_first(const FieldPath& replacement) const {
  FieldPath path = *this;
  if (steps_.size() == 1)
    path.transforms_.insert(path.transforms_.begin(), replacement.transforms_.begin(),
                            replacement.transforms_.end());
  path.steps_.erase(path.steps_.begin());
  path.steps_.insert(path.steps_.begin(), replacement.steps_.begin(), replacement.steps_.end());
  return path;
}

Json project(const Json& document, const std::vector<FieldPath>& fields) {
  Json copy = Json::object();
  for (const FieldPath& field : fields) field.copy_to(document, copy);
  return copy;
}

}  // namespace slipway::report
