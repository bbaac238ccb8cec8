#pragma once

#include <string>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::launch {

/// What `git WORDS` prints on stdout; asks nobody for a password. Errors (kUnavailable): its exit code and
/// the last line of what it said. Git ends by itself, or by the interrupt that the user's keys send to it
/// too.
Result<std::string> git(const std::vector<std::string>& words, std::size_t limit);

}  // namespace slipway::launch
