#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/storage.h"

namespace slipway::emulator {

/// What the path of a request names.
struct Storage::Place {
  enum class Kind {
    kBuckets,  ///< /b
    kBucket,   ///< /b/B
    kLayout,   ///< /b/B/storageLayout
    kObjects,  ///< /b/B/o
    kObject,   ///< /b/B/o/O
    kRewrite,  ///< /b/B/o/O/rewriteTo/b/B/o/O
    kCopy,     ///< /b/B/o/O/copyTo/b/B/o/O
    kUpload,   ///< /upload/../b/B/o
  };
  Kind kind = Kind::kBuckets;
  std::string bucket;
  std::string object;
  std::string other_bucket;  ///< the destination of a copy
  std::string other_object;

  /// From the decoded segments of a path, of which the first is empty.
  static std::optional<Place> of(const std::vector<std::string>& segments);
};

}  // namespace slipway::emulator
