#pragma once

#include <string>

#include "slipway/core/json.h"
#include "slipway/http/transport.h"
#include "slipway/storage/bucket.h"

namespace slipway::storage {

/// Reads the resource of an object. Errors (kFailed): no JSON, or without name, generation and size.
Result<ObjectInfo> decode_object(const Json& document);
Result<ObjectInfo> decode_object(const http::Response& response);

/// Big-endian base64, as Cloud Storage writes a CRC-32C; nothing for what is none.
std::optional<std::uint32_t> parse_crc32c(const std::string& text);
/// The CRC-32C of an X-Goog-Hash header ("crc32c=..., md5=...").
std::optional<std::uint32_t> crc32c_of_hash_header(const std::string& header);

/// What a refusal says. `what` names what was asked for.
Error to_error(const http::Response& response, const std::string& what);

}  // namespace slipway::storage
