#pragma once

#include <string>

namespace slipway::cli {

/// "slipway 0.1.0", and below it the libraries that matter for security.
std::string version_text();
/// "slipway/0.1.0", for the User-Agent header.
std::string user_agent();

}  // namespace slipway::cli
