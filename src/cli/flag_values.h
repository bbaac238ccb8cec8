#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::cli {

/// The values of a flag such as --labels: "k=v,k2=v2", given any number of times; "^:^k=a,b:k2=c" sets
/// another separator, as in gcloud. Errors (kUsage): no '=', an empty key, a key twice.
Result<std::map<std::string, std::string>> parse_dict(const std::string& flag,
                                                      const std::vector<std::string>& values);

/// "a,b" given any number of times, as one list. Empty words are left out.
std::vector<std::string> parse_list(const std::vector<std::string>& values);

/// The duration that `flag` says; nothing when it was not given. Errors (kUsage) name the flag.
Result<std::optional<std::chrono::milliseconds>> parse_limit(const std::string& text,
                                                             const std::string& flag = "--timeout");

}  // namespace slipway::cli
