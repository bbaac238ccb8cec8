#pragma once

#include <string>
#include <string_view>

#include "slipway/core/error.h"

namespace slipway::cli {

/// "slipway: create: <what happened>", then "  why: ..." and "  next: ..." where the error has them. Secrets
/// are taken out, and nothing in it can command a terminal: parts of it come from servers.
std::string error_text(std::string_view command, const Error& error);

}  // namespace slipway::cli
