#pragma once

#include <optional>
#include <string>

#include "slipway/model/queued_resource.h"

namespace slipway {

/// A long-running operation: projects/P/locations/Z/operations/O.
struct Operation {
  std::string name;  ///< full path; empty when the API's answer had none
  bool done = false;
  std::optional<ApiStatus> error;  ///< set only when done
  std::string target;              ///< full name of what it works on
  std::string verb;
  std::string document;
};

}  // namespace slipway
