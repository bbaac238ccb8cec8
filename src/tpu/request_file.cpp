// A create body that a person wrote: brought into the API's spelling, and refused where the API would only
// say 400.
#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/tpu/call.h"
#include "tpu/request_fields.h"

namespace slipway::tpu {
namespace {

std::string camel_case(std::string_view name) {
  std::string camel;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool joint = name[i] == '_' && i > 0 && i + 1 < name.size();
    camel += joint ? static_cast<char>(std::toupper(static_cast<unsigned char>(name[++i]))) : name[i];
  }
  return camel;
}

bool all_text(const Json& values) {
  return std::all_of(values.begin(), values.end(), [](const Json& value) { return value.is_string(); });
}

std::string_view wanted(FieldKind kind) {
  switch (kind) {
    case FieldKind::kText:
      return "a string";
    case FieldKind::kNumber:
      return "a whole number";
    case FieldKind::kFlag:
      return "true or false";
    case FieldKind::kTextList:
      return "a list of strings";
    case FieldKind::kTextMap:
      return "an object of strings";
    case FieldKind::kMessage:
      return "an object";
    case FieldKind::kMessageList:
      return "a list of objects";
  }
  return "";
}

bool has_kind(FieldKind kind, const Json& object, std::string_view key, const Json& value) {
  switch (kind) {
    case FieldKind::kText:
      return value.is_string();
    case FieldKind::kNumber:
      return int_member(object, key).has_value();
    case FieldKind::kFlag:
      return value.is_boolean();
    case FieldKind::kTextList:
      return value.is_array() && all_text(value);
    case FieldKind::kTextMap:
      return value.is_object() && all_text(value);
    case FieldKind::kMessage:
      return value.is_object();
    case FieldKind::kMessageList:
      return value.is_array() &&
             std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_object(); });
  }
  return false;
}

Error refused(const std::string& path, const std::string& message) {
  return {ErrorCode::kUsage, fmt::format("{}: {}", printable(path), message)};
}

/// Reads a body once, and notes on the way which version its fields need.
class Reading {
 public:
  Result<Json> message(const Json& object, const RequestMessage& fields, const std::string& path);
  std::optional<ApiVersion> needed() const;
  /// Two fields that no version has together, or one that `version` does not have.
  Result<void> check(std::optional<ApiVersion> version) const;

 private:
  Result<Json> value(const Json& value, const RequestField& field, const std::string& path);
  Error unknown(const std::string& key, const RequestMessage& fields, const std::string& path) const;

  std::string v2_only_;  ///< the first field of the kind, by its path
  std::string alpha_only_;
};

Error Reading::unknown(const std::string& key, const RequestMessage& fields, const std::string& path) const {
  std::vector<std::string> names;
  for (const RequestField& field : fields.fields) names.emplace_back(field.name);
  const std::string near = nearest(camel_case(key), names);
  return refused(path, fmt::format("{} has no such field", fields.name))
      .why(near.empty() ? fmt::format("it has {}", fmt::join(names, ", "))
                        : fmt::format("did you mean '{}'?", near));
}

Result<Json> Reading::message(const Json& object, const RequestMessage& fields, const std::string& path) {
  Json read = Json::object();
  for (const auto& [key, member] : object.items()) {
    const std::string place = path.empty() ? key : fmt::format("{}.{}", path, key);
    const std::string name = camel_case(key);
    const RequestField* field = fields.find(name);
    if (field == nullptr) return unknown(key, fields, place);
    if (field->in == FieldIn::kOutput || member.is_null()) continue;
    if (read.contains(name)) return refused(place, "it is given twice, in both spellings");
    if (!has_kind(field->kind, object, key, member))
      return refused(place, fmt::format("it has to be {}", wanted(field->kind)));
    if (field->in == FieldIn::kV2 && v2_only_.empty()) v2_only_ = place;
    if (field->in == FieldIn::kAlpha && alpha_only_.empty()) alpha_only_ = place;
    TRY(read[name], value(member, *field, place));
  }
  return read;
}

/// The keys of a map (labels, metadata) are the user's own, and so is all of trafficConfig.
Result<Json> Reading::value(const Json& value, const RequestField& field, const std::string& path) {
  const bool ours = field.message != nullptr && field.message->name != "Anything";
  if (!ours) return value;
  if (field.kind == FieldKind::kMessage) return message(value, *field.message, path);
  Json list = Json::array();
  for (std::size_t i = 0; i < value.size(); ++i) {
    TRY(Json item, message(value[i], *field.message, fmt::format("{}[{}]", path, i)));
    list.push_back(std::move(item));
  }
  return list;
}

std::optional<ApiVersion> Reading::needed() const {
  if (!alpha_only_.empty()) return ApiVersion::kV2Alpha1;
  return v2_only_.empty() ? std::nullopt : std::optional(ApiVersion::kV2);
}

Result<void> Reading::check(std::optional<ApiVersion> version) const {
  if (!alpha_only_.empty() && !v2_only_.empty()) {
    return refused(alpha_only_, "only v2alpha1 has it")
        .why(fmt::format("and only v2 has {}; v2alpha1 says multiNodeParams for multisliceParams", v2_only_));
  }
  if (!version || !needed() || *version == *needed()) return {};
  return refused(alpha_only_ + v2_only_,
                 fmt::format("{} does not have it, {} does", to_string(*version), to_string(*needed())));
}

/// What each nodeSpec must say and this machine knows.
void fill_in_parents(Json& body, const Location& location) {
  for (Json& spec : body["tpu"]["nodeSpec"]) {
    if (!spec.contains("parent")) spec["parent"] = location.path();
  }
}

}  // namespace

Result<CreateBody> read_create_body(const std::string& text, const Location& location,
                                    std::optional<ApiVersion> version) {
  const Result<Json> document = parse_json(text);
  if (!document.ok()) return Error(ErrorCode::kUsage, "it is no JSON").why(document.error().why());
  if (!document->is_object()) return Error(ErrorCode::kUsage, "it is no JSON object, but has to be one");
  Reading reading;
  TRY(Json body, reading.message(*document, queued_resource_fields(), ""));
  TRY(reading.check(version));
  const Json* specs = find_path(body, {"tpu", "nodeSpec"});
  if (specs == nullptr || specs->empty()) return refused("tpu.nodeSpec", "it has to have an entry");
  fill_in_parents(body, location);
  return CreateBody{version.value_or(reading.needed().value_or(ApiVersion::kV2)), dump_json(body)};
}

}  // namespace slipway::tpu
