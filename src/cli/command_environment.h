#pragma once

#include <string>
#include <utility>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::cli {

/// The variables of --env-file and then of --env, so that the latter win. A file has one NAME=VALUE a line,
/// the value as it stands; empty lines and those that begin with # say nothing. Errors (kUsage): a name that
/// no shell takes, with where it stands.
Result<std::vector<std::pair<std::string, std::string>>> command_environment(
    const std::vector<std::string>& pairs, const std::string& file);

}  // namespace slipway::cli
