#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace slipway::emulator {

/// One request to a metadata server, as far as it matters there.
struct MetadataRequest {
  std::string method;
  std::string path;  ///< decoded, without the query
  std::map<std::string, std::string> query;
  std::map<std::string, std::string> headers;  ///< by their names in lower case
};

/// Reads the head of a request: request line and headers, up to and without the empty line. Nothing for what
/// is none.
std::optional<MetadataRequest> parse_metadata_request(std::string_view head);

/// What is asked for, beside the path.
struct MetadataWish {
  bool recursive = false;
  bool as_json = false;  ///< alt=json for a leaf too
  bool wait = false;     ///< until the value is another than that of last_etag
  std::string last_etag;
  std::optional<std::chrono::seconds> timeout;
};
MetadataWish wish_of(const MetadataRequest& request);

}  // namespace slipway::emulator
