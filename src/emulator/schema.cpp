#include "emulator/schema.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

std::string path_to(const std::string& at, std::string_view name) {
  return at.empty() ? std::string(name) : fmt::format("{}.{}", at, name);
}

bool is_in(const Field& field, ApiVersion version) {
  if (field.presence == Presence::kV2Only) return version == ApiVersion::kV2;
  if (field.presence == Presence::kAlphaOnly) return version == ApiVersion::kV2Alpha1;
  return true;
}

bool is_duration(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() < 2 || text.back() != 's') return false;
  return text.find_first_not_of("0123456789.") == text.size() - 1 &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

bool is_int(const Json& value) {
  if (value.is_number_integer()) return true;
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  const std::size_t digits = text.rfind('-', 0) == 0 ? 1 : 0;
  return text.size() > digits && text.find_first_not_of("0123456789", digits) == std::string::npos;
}

bool all_strings(const Json& value) {
  return std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string(); });
}

bool is_word(const Field& field, const Json& value, ApiVersion version) {
  if (!value.is_string()) return false;
  const auto is_in_list = [&](const std::vector<std::string_view>& words) {
    return std::find(words.begin(), words.end(), value.get_ref<const std::string&>()) != words.end();
  };
  return is_in_list(field.words) || (version == ApiVersion::kV2Alpha1 && is_in_list(field.alpha_words));
}

// Of an integer in its 32 or 64 bits, as a number or as text.
bool is_in_range(const Field& field, const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX}) return false;
  const auto number = int_member(Json{{"n", value}}, "n");
  if (!number) return false;
  return field.kind == Kind::kInt64 || (*number >= INT32_MIN && *number <= INT32_MAX);
}

bool has_kind(const Field& field, const Json& value, ApiVersion version) {
  switch (field.kind) {
    case Kind::kString:
      return value.is_string();
    case Kind::kBool:
      return value.is_boolean();
    case Kind::kInt32:
    case Kind::kInt64:
      return is_int(value) && is_in_range(field, value);
    case Kind::kDouble:
      return value.is_number();
    case Kind::kDuration:
      return is_duration(value);
    case Kind::kTimestamp:
      return value.is_string() && parse_rfc3339(value.get_ref<const std::string&>()).has_value();
    case Kind::kEnum:
      return is_word(field, value, version);
    case Kind::kMessage:
      return value.is_object();
    case Kind::kMessageList:
      return value.is_array();
    case Kind::kStringList:
      return value.is_array() && all_strings(value);
    case Kind::kStringMap:
      return value.is_object() && all_strings(value);
  }
  return false;
}

// int64 travels as a string in answers, int32 as a number, whichever way they came.
Json canonical(const Field& field, const Json& value) {
  if (field.kind == Kind::kInt64 && value.is_number()) return std::to_string(value.get<std::int64_t>());
  if (field.kind == Kind::kInt32 && value.is_string()) return int_member(Json{{"n", value}}, "n").value_or(0);
  return value;
}

std::optional<ApiError> read_list(const Json& list, const Message& message, ApiVersion version,
                                  const std::string& at, Json& out) {
  out = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    Json item;
    if (auto error = read_message(list[i], message, version, fmt::format("{}[{}]", at, i), item))
      return error;
    out.push_back(std::move(item));
  }
  return std::nullopt;
}

std::optional<ApiError> read_field(const Field& field, const Json& value, ApiVersion version,
                                   const std::string& at, Json& out) {
  if (!has_kind(field, value, version)) {
    return bad_field(at, fmt::format("Invalid value at '{}': {}", at, dump_json(value).substr(0, 80)));
  }
  if (field.kind == Kind::kMessage) return read_message(value, *field.message, version, at, out);
  if (field.kind == Kind::kMessageList) return read_list(value, *field.message, version, at, out);
  out = canonical(field, value);
  return std::nullopt;
}

Json shown_list(const Json& list, const Message& message, ApiVersion version) {
  Json shown = Json::array();
  for (const Json& item : list) shown.push_back(shown_in(item, message, version));
  return shown;
}

}  // namespace

std::string camel_case(std::string_view name) {
  std::string camel;
  bool up = false;
  for (const char c : name) {
    if (c == '_') {
      up = true;
      continue;
    }
    camel += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    up = false;
  }
  return camel;
}

std::string_view to_string(ApiVersion version) {
  if (version == ApiVersion::kV1) return "v1";
  return version == ApiVersion::kV2 ? "v2" : "v2alpha1";
}

const Field* Message::find(std::string_view json_name) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& one) { return one.name == json_name; });
  return found == fields.end() ? nullptr : &*found;
}

std::optional<ApiError> read_message(const Json& value, const Message& message, ApiVersion version,
                                     const std::string& at, Json& out) {
  if (!value.is_object())
    return bad_field(at, fmt::format("'{}' has to be an object", at.empty() ? "body" : at));
  out = Json::object();
  for (const auto& [key, member] : value.items()) {
    const std::string name = camel_case(key);
    const Field* field = message.find(name);
    if (field == nullptr || !is_in(*field, version)) {
      return bad_field(path_to(at, key),
                       fmt::format("Unknown name \"{}\" at '{}': {} has no such field in {}", key,
                                   at.empty() ? "body" : at, message.name, to_string(version)));
    }
    if (field->presence == Presence::kOutput || member.is_null()) continue;
    if (out.contains(name))
      return bad_field(path_to(at, key), fmt::format("'{}' is given twice", path_to(at, name)));
    Json read;
    if (auto error = read_field(*field, member, version, path_to(at, name), read)) return error;
    out[name] = std::move(read);
  }
  return std::nullopt;
}

Json shown_in(const Json& value, const Message& message, ApiVersion version) {
  Json shown = Json::object();
  for (const auto& [key, member] : value.items()) {
    const Field* field = message.find(key);
    if (field == nullptr || !is_in(*field, version)) continue;
    if (field->kind == Kind::kMessage && member.is_object() && field->message != nullptr) {
      shown[key] = shown_in(member, *field->message, version);
    } else if (field->kind == Kind::kMessageList && field->message != nullptr) {
      shown[key] = shown_list(member, *field->message, version);
    } else {
      shown[key] = member;
    }
  }
  return shown;
}

}  // namespace slipway::emulator
