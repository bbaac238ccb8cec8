#pragma once

#include <string>
#include <vector>

namespace slipway::fleet {

/// "qr-0/0, qr-0/1, qr-1/0 and 5 more": as many as fit into a sentence.
std::string some_of(const std::vector<std::string>& names);

}  // namespace slipway::fleet
