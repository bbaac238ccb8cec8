#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

/// OAuth scopes with gcloud's short names ("storage-rw", "default") replaced by the full ones: the API takes
/// full ones, and gcloud's TPU commands send the short ones as they are. What is no short name stays.
std::vector<std::string> expand_scopes(const std::vector<std::string>& words);

}  // namespace slipway::cli
