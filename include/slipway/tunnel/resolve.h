#pragma once

#include <string>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::tunnel {

/// The addresses of `host`, in the order that the system's resolver prefers; a literal address is its own.
/// Blocks. Errors: kUnavailable.
Result<std::vector<std::string>> resolve(const std::string& host);

}  // namespace slipway::tunnel
