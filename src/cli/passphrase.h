#pragma once

#include <string>

#include "cli/services.h"
#include "slipway/ssh/identity.h"

namespace slipway::cli {

/// Where the passphrase of a key comes from: `file` where one is named (its first line), else the terminal,
/// without echo. It asks nobody where neither is there: the error (kUsage) then names both ways out.
ssh::AskPassphrase passphrase_from(const std::string& file, Services& services);

}  // namespace slipway::cli
