#pragma once

// The only place that names nlohmann/json. The codec of the API stays in tpu/wire; the emulator has one of
// its own.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway {

/// Keeps the order of keys, so that a document we pass on looks as it came.
using Json = nlohmann::ordered_json;

/// No document that we accept nests deeper: nlohmann/json 3.11 overflows the stack when it copies or dumps a
/// deep one.
inline constexpr int kMaxJsonDepth = 64;

/// Parses one document. Errors (kFailed): not JSON, deeper than kMaxJsonDepth, a key twice in one object.
Result<Json> parse_json(std::string_view text);

/// One line when `indent` is negative. Bytes that are not UTF-8 become U+FFFD: dump() alone would throw.
std::string dump_json(const Json& value, int indent = -1);

/// The member `key` of an object, or nullptr: when `value` is no object, when there is none, or when it is
/// null.
const Json* find_member(const Json& value, std::string_view key);
/// The same, followed through nested objects: find_path(qr, {"state", "state"}).
const Json* find_path(const Json& value, std::initializer_list<std::string_view> keys);
/// The string at `key`; empty when it is missing or no string.
std::string string_member(const Json& value, std::string_view key);
/// The number at `key`, also when it travels as a string (int64 in Google's JSON).
std::optional<std::int64_t> int_member(const Json& value, std::string_view key);

}  // namespace slipway
