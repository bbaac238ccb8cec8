#pragma once

#include <string>

#include "slipway/storage/bucket.h"

namespace slipway::storage {

/// One write: what is to be stored, and the mark by which it is known again.
struct Bucket::Write {
  const std::string& name;
  const std::string& bytes;
  const Condition& condition;
  const std::string& content_type;
  std::string mark;
};

/// The custom metadata of an object that holds the mark of its write.
inline constexpr const char* kMarkKey = "slipway-write";

}  // namespace slipway::storage
