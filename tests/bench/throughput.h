#pragma once

#include <cstddef>
#include <string>

#include "bench/tools.h"

namespace slipway::bench {

/// Every worker prints `bytes` of lines of 64 bytes: what slipway moves in each way of showing it, beside as
/// many plain ssh processes that are started at once. A table; the clients' output is thrown away.
std::string compare_throughput(const Bed& bed, std::size_t bytes, std::size_t runs);

}  // namespace slipway::bench
