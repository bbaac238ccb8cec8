#pragma once

#include <string>

#include "slipway/core/result.h"

namespace slipway::cli {

/// What --format asks for.
enum class Format { kTable, kJson, kValue };
/// Errors (kUsage): another word, with the nearest right one.
Result<Format> parse_format(const std::string& text);

}  // namespace slipway::cli
