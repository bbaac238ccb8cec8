#pragma once

#include <string_view>

namespace slipway::launch {

/// src/launch/startup.sh, as it was when this was built.
extern const std::string_view kStartupProgram;

}  // namespace slipway::launch
