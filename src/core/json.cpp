#include "slipway/core/json.h"

#include <charconv>
#include <set>
#include <vector>

#include "slipway/core/format.h"

namespace slipway {
namespace {

/// Watches a parse: stops at too deep a nesting and at a key that stands twice in one object.
class ParseGuard {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
        keys_.emplace_back();
        [[fallthrough]];
      case Json::parse_event_t::array_start:
        if (depth >= kMaxJsonDepth) throw std::length_error("nested deeper than 64 levels");
        break;
      case Json::parse_event_t::key:
        if (!keys_.back().insert(parsed.get<std::string>()).second) {
          throw std::length_error(
              fmt::format("the key '{}' stands twice in one object", parsed.get<std::string>()));
        }
        break;
      case Json::parse_event_t::object_end:
        keys_.pop_back();
        break;
      default:
        break;
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Result<Json> parse_json(std::string_view text) {
  try {
    return Json::parse(text, ParseGuard());
  } catch (const std::exception& e) {
    return Error(ErrorCode::kFailed, "not usable as JSON").why(e.what());
  }
}

std::string dump_json(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

const Json* find_member(const Json& value, std::string_view key) {
  if (!value.is_object()) return nullptr;
  const auto found = value.find(std::string(key));
  return found == value.end() || found->is_null() ? nullptr : &*found;
}

const Json* find_path(const Json& value, std::initializer_list<std::string_view> keys) {
  const Json* at = &value;
  for (const std::string_view key : keys) {
    at = find_member(*at, key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string string_member(const Json& value, std::string_view key) {
  const Json* member = find_member(value, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

std::optional<std::int64_t> int_member(const Json& value, std::string_view key) {
  const Json* member = find_member(value, key);
  if (member == nullptr) return std::nullopt;
  if (member->is_number_integer()) return member->get<std::int64_t>();
  if (!member->is_string()) return std::nullopt;
  const std::string text = member->get<std::string>();
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace slipway
