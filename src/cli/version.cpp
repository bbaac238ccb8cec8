#include "cli/version.h"

#include "slipway/core/format.h"
#include "slipway/ssh/session.h"

namespace slipway::cli {

std::string version_text() {
  return fmt::format("slipway {}\n{}, {} {}\n", SLIPWAY_VERSION, ssh::library_version(), SLIPWAY_COMPILER,
                     __VERSION__);
}

std::string user_agent() { return fmt::format("slipway/{}", SLIPWAY_VERSION); }

}  // namespace slipway::cli
