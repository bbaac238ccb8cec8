#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "slipway/fleet/target.h"

namespace slipway::report {

/// The names of `chosen` (positions in `targets`), as short as they can be said: "qr-[0-3]/[0-1],qr-4/0".
/// Slices that share a prefix and a set of workers become one group. After `most_groups` groups: ",... (37 in
/// all)".
std::string fold_labels(const std::vector<fleet::Target>& targets, const std::vector<std::size_t>& chosen,
                        std::size_t most_groups = 8);

}  // namespace slipway::report
