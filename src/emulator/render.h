#pragma once

#include <string>
#include <string_view>

#include "emulator/world.h"

namespace slipway::emulator {

/// The API's words.
std::string_view to_string(ResourceState state);
std::string_view to_string(SliceState state);

/// The JSON of answers, in the form of `version`, whichever version created the resource.
Json render_resource(const World& world, const Resource& resource, ApiVersion version);
Json render_node(const World& world, const Resource& resource, const Slice& slice, ApiVersion version);
/// The tree of a worker's metadata server (metadata_tree.h).
Json render_metadata(const World& world, const Resource& resource, const Slice& slice, std::size_t worker,
                     const std::string& token);
Json render_operation(const Operation& operation);
Json render_accelerator(const World& world, const Accelerator& accelerator);
Json render_runtime(const World& world, const std::string& runtime);
Json render_location(const World& world);

/// `message` as the response of an operation: with its @type, "QueuedResource" or "Node".
Json as_response(const std::string& type, Json message, ApiVersion version);

}  // namespace slipway::emulator
