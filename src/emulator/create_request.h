#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/accelerator_catalog.h"
#include "emulator/api_error.h"
#include "emulator/request.h"

namespace slipway::emulator {

/// What a create asks for, after every check that needs no knowledge of what exists already.
struct CreateRequest {
  std::string id;
  Json body;  ///< normalised: multiNodeParams of v2alpha1 is kept as multisliceParams
  Accelerator accelerator;
  std::vector<std::string> node_ids;  ///< one a slice
  bool multislice = false;
};

/// Reads queuedResources.create: the body against the schema of the route's version, then the rules between
/// fields. `location` is the name ("projects/P/locations/Z") that nodeSpec.parent has to repeat.
std::optional<ApiError> read_create(const ApiRequest& request, ApiVersion version,
                                    const std::string& location, CreateRequest& out);

/// The body of a request as JSON; an empty one is {}.
std::optional<ApiError> read_body(const ApiRequest& request, Json& out);

}  // namespace slipway::emulator
