#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/api_error.h"
#include "slipway/core/json.h"

namespace slipway::emulator {

/// The surfaces of the API. v1 is there for the two lists that gcloud still asks it for.
enum class ApiVersion { kV1, kV2, kV2Alpha1 };
/// "v2", "v2alpha1": as in paths.
std::string_view to_string(ApiVersion version);

enum class Kind {
  kString,
  kBool,
  kInt32,
  kInt64,
  kDouble,
  kDuration,
  kTimestamp,
  kEnum,
  kMessage,
  kMessageList,
  kStringList,
  kStringMap
};
/// Which surface has a field, and whether a client may set it.
enum class Presence { kBoth, kV2Only, kAlphaOnly, kOutput };

struct Message;

/// One field of a message, under its JSON name.
struct Field {
  std::string_view name;
  Kind kind;
  const Message* message = nullptr;  ///< for kMessage and kMessageList
  Presence presence = Presence::kBoth;
  std::vector<std::string_view> words = {};        ///< for kEnum
  std::vector<std::string_view> alpha_words = {};  ///< of v2alpha1 only
};

/// One message of the API.
struct Message {
  std::string_view name;
  std::vector<Field> fields;
  const Field* find(std::string_view json_name) const;
};

/// Checks `value` as strictly as the API does (unknown fields, fields of the other version, wrong types and
/// enum words are INVALID_ARGUMENT) and writes it to `out` with lowerCamelCase names (snake_case is
/// understood, as in all proto3 JSON) and without output-only fields, which the API ignores. `at` names the
/// place for the error, empty at the top.
std::optional<ApiError> read_message(const Json& value, const Message& message, ApiVersion version,
                                     const std::string& at, Json& out);

/// "boot_disk_config" -> "bootDiskConfig".
std::string camel_case(std::string_view name);

/// What `version` shows of a message that was stored by whichever version: fields it does not have are left
/// out.
Json shown_in(const Json& value, const Message& message, ApiVersion version);

const Message& queued_resource_message();
const Message& node_message();
const Message& traffic_config_message();
const Message& guest_attributes_request();
const Message& maintenance_request();
const Message& simulated_maintenance_request();
const Message& empty_message();

}  // namespace slipway::emulator
