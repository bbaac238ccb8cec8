#include "tpu/json_fields.h"

#include "slipway/core/format.h"

namespace slipway::tpu {
namespace {

const Json kNothing = Json::object();

std::optional<std::string> as_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return dump_json(value);
  return std::nullopt;
}

}  // namespace

JsonFields::JsonFields(const Json& value, std::string path, ShapeProblem& problem)
    : value_(&value), path_(std::move(path)), problem_(&problem) {
  if (value.is_object()) return;
  note_kind(path_.empty() ? "the answer" : path_, value, "an object");
  value_ = &kNothing;
}

std::string JsonFields::text(std::string_view key) const {
  const Json* found = find_member(*value_, key);
  if (found == nullptr) return "";
  std::optional<std::string> text = as_text(*found);
  if (!text) note_kind(path_of(key), *found, "a string");
  return text.value_or("");
}

std::int64_t JsonFields::number(std::string_view key, std::int64_t otherwise) const {
  const Json* found = find_member(*value_, key);
  if (found == nullptr) return otherwise;
  const std::optional<std::int64_t> number = int_member(*value_, key);
  if (!number) note_kind(path_of(key), *found, "a whole number");
  return number.value_or(otherwise);
}

bool JsonFields::flag(std::string_view key) const {
  const Json* found = find_member(*value_, key);
  if (found == nullptr) return false;
  if (!found->is_boolean()) note_kind(path_of(key), *found, "true or false");
  return found->is_boolean() && found->get<bool>();
}

JsonFields JsonFields::object(std::string_view key) const {
  const Json* found = find_member(*value_, key);
  return {found != nullptr ? *found : kNothing, path_of(key), *problem_};
}

const Json* JsonFields::array(std::string_view key) const {
  const Json* found = find_member(*value_, key);
  if (found == nullptr || found->is_array()) return found;
  note_kind(path_of(key), *found, "an array");
  return nullptr;
}

std::vector<JsonFields> JsonFields::objects(std::string_view key) const {
  std::vector<JsonFields> objects;
  const Json* found = array(key);
  if (found == nullptr) return objects;
  for (std::size_t i = 0; i < found->size(); ++i) {
    objects.emplace_back((*found)[i], fmt::format("{}[{}]", path_of(key), i), *problem_);
  }
  return objects;
}

std::vector<std::string> JsonFields::texts(std::string_view key) const {
  std::vector<std::string> texts;
  const Json* found = array(key);
  if (found == nullptr) return texts;
  for (std::size_t i = 0; i < found->size(); ++i) {
    std::optional<std::string> text = as_text((*found)[i]);
    if (!text) note_kind(fmt::format("{}[{}]", path_of(key), i), (*found)[i], "a string");
    texts.push_back(text.value_or(""));
  }
  return texts;
}

std::map<std::string, std::string> JsonFields::text_map(std::string_view key) const {
  std::map<std::string, std::string> entries;
  const JsonFields fields = object(key);
  for (const auto& item : fields.value().items()) entries[item.key()] = fields.text(item.key());
  return entries;
}

void JsonFields::note(const std::string& what) const {
  if (problem_->text.empty()) problem_->text = what;
}

std::string JsonFields::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void JsonFields::note_kind(const std::string& path, const Json& found, std::string_view wanted) const {
  note(fmt::format("{} is {} ({}), not {}", path, found.type_name(), dump_json(found).substr(0, 40), wanted));
}

}  // namespace slipway::tpu
