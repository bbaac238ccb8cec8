#pragma once

#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway::storage {

/// "gs://BUCKET/PREFIX": a bucket, and the folder-like beginning that the names of some objects share.
struct Location {
  std::string bucket;
  std::string prefix;  ///< without a slash at either end; may be empty

  /// The full name of the object that is called `relative` below here.
  std::string object(std::string_view relative) const;
  /// "gs://BUCKET/PREFIX".
  std::string uri() const;
  /// The place `relative` below here.
  Location below(std::string_view relative) const { return {bucket, object(relative)}; }
};

/// `flag`: where the URI comes from ("--bucket"), for the error; empty for none. Errors (kUsage): no gs://
/// URI, a name that no bucket can have, or a prefix with "//", ".", "..", control characters, quotes or
/// backslashes: JSON escapes these, and the startup script reads lists without a JSON parser.
Result<Location> parse_location(std::string_view uri, std::string_view flag = "");

}  // namespace slipway::storage
