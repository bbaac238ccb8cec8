#pragma once

#include <optional>
#include <string>

#include "slipway/core/json.h"

namespace slipway::emulator {

/// What a metadata server knows, as a tree of objects whose leaves are texts, numbers, or (a token, scopes)
/// documents. A key is a part of the path: "network-interfaces".
struct MetadataValue {
  Json value;
  bool is_directory = false;
};

/// The value at a path below /computeMetadata/v1/, without slashes at its ends; nothing for none.
std::optional<MetadataValue> find_metadata(const Json& tree, const std::string& path);

/// One name a line, those of directories with a slash.
std::string metadata_listing(const Json& directory);
/// All below, with camelCase names, as `recursive=true` shows it; the names of attributes stay as they are.
Json metadata_document(const Json& directory, const std::string& path);
/// A leaf as text.
std::string metadata_text(const Json& leaf);
/// Another one for every other value: 16 hexadecimal digits.
std::string metadata_etag(const Json& value);

}  // namespace slipway::emulator
