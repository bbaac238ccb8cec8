#pragma once

#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway {

/// Where a project's resources of one zone live: projects/P/locations/Z.
struct Location {
  std::string project;
  std::string zone;

  std::string path() const { return "projects/" + project + "/locations/" + zone; }
  bool operator==(const Location&) const = default;
};

/// A queued resource by its full name: projects/P/locations/Z/queuedResources/ID.
struct QueuedResourceName {
  Location location;
  std::string id;

  std::string path() const { return location.path() + "/queuedResources/" + id; }
  bool operator==(const QueuedResourceName&) const = default;
};

/// A slice (the API's node) by its full name: projects/P/locations/Z/nodes/ID.
struct NodeName {
  Location location;
  std::string id;

  std::string path() const { return location.path() + "/nodes/" + id; }
  bool operator==(const NodeName&) const = default;
};

/// The last part of a path: "q" of projects/p/locations/z/queuedResources/q.
std::string last_segment(std::string_view path);
/// The zone of any resource path that has .../locations/ZONE/...; empty if there is none.
std::string zone_of(std::string_view path);

/// Reads "ID" (completed with `fallback`) or a full name, which wins over it. Errors (kUsage): an id outside
/// the API's grammar `[A-Za-z0-9_.~+%-]+` (TPU API v2, queuedResourceId), or half a path.
Result<QueuedResourceName> parse_queued_resource_name(std::string_view text, const Location& fallback);

/// The same for a node: "ID" or projects/P/locations/Z/nodes/ID.
Result<NodeName> parse_node_name(std::string_view text, const Location& fallback);

/// The API's pattern for queuedResourceId, nodeId and nodeIdPrefix. `what` names it in the error (kUsage).
Result<void> check_resource_id(std::string_view what, std::string_view id);

}  // namespace slipway
