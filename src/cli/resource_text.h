#pragma once

#include <string>

#include "slipway/model/queued_resource.h"

namespace slipway::cli {

/// "v4-16", or type and topology where the shape was given by chips.
std::string accelerator_text(const QueuedResource& resource);
/// "us-central2-b", or "any zone".
std::string place_text(const Location& location);
std::size_t slice_count(const QueuedResource& resource);

}  // namespace slipway::cli
