#pragma once

#include <optional>
#include <string>

#include "bench/table.h"
#include "bench/tools.h"

namespace slipway::bench {

/// What belongs to slipway alone: the parts of its processor time, and its bars, met or missed. `rsa` is its
/// row with an RSA key.
std::string own_text(const Bed& bed, const Row& row, const std::optional<Row>& rsa);

}  // namespace slipway::bench
