#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "slipway/model/node.h"
#include "slipway/model/queued_resource.h"

namespace slipway::cli {

/// One slice of a request, by its name, with its node where there is one.
struct SliceSight {
  std::string name;
  std::optional<Node> node;
};

/// A queued resource for people: what it is, why it is so, its slices, and what to type next. `slices` is
/// empty while it can have none. The text cannot command a terminal.
std::string describe_text(const QueuedResource& resource, const std::vector<SliceSight>& slices,
                          std::chrono::system_clock::time_point now);

/// Whether a request in this state may have slices that are worth a look.
bool may_have_slices(QueuedResourceState state);

/// What to do about a failure of the API, in a sentence; empty when there is nothing better than its message.
std::string advice_on(const ApiStatus& failure);

}  // namespace slipway::cli
