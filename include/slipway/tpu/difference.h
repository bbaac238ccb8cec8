#pragma once

#include <string>
#include <vector>

#include "slipway/tpu/call.h"

namespace slipway::tpu {

/// A field in which what is there is not what was asked for.
struct Difference {
  std::string field;  ///< "runtimeVersion", "slices", ..
  std::string there;
  std::string asked;
};

/// Compares what `body` asks for with the API's `document` of the resource `id`, read through the same
/// version: every field that cannot be changed after create. What nodes.patch can change (description, tags,
/// labels, metadata, external addresses, data disks) is not compared, nor is the queueing policy, which has
/// had its effect. A field that was not asked for is the server's to fill in. v4-16 is equal to V4 with
/// 2x2x2, and a short network name to its full one.
std::vector<Difference> differences(const CreateBody& body, const std::string& id,
                                    const std::string& document);

}  // namespace slipway::tpu
