#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace slipway {

/// A random UUID (RFC 4122 version 4) from getrandom(2).
std::string make_uuid();

/// Uniform in [0, 1): what a jitter takes. Tests pass their own.
using RandomUnit = std::function<double()>;
RandomUnit system_random_unit();

}  // namespace slipway
