#pragma once

#include <chrono>
#include <string>

#include "slipway/model/queued_resource.h"

namespace slipway::cli {

/// "v4-16", or type and topology where the shape was given by chips.
std::string accelerator_text(const QueuedResource& resource);
std::size_t slice_count(const QueuedResource& resource);
/// For people: a few labelled lines.
std::string describe_text(const QueuedResource& resource, std::chrono::system_clock::time_point now);

}  // namespace slipway::cli
