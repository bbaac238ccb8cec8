#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/api.h"
#include "cli/settings.h"
#include "slipway/model/queued_resource.h"

namespace slipway::cli {

/// What stands where a command takes QR: a queued resource, `node:NAME`, or `prefix:P` for all nodes that are
/// named P-<number>.
struct SliceSource {
  enum class Kind { kQueuedResource, kNode, kPrefix };
  Kind kind = Kind::kQueuedResource;
  Location location;
  std::string id;

  /// As a person types it: "train-1", "node:tpu-a", "prefix:tpu".
  std::string text() const;
};

/// The settings for a command on `word`; a full name needs neither project nor zone from elsewhere. Errors
/// (kUsage): what resolve_settings_for() says, and names that the API would not take.
struct SourceSettings {
  Settings settings;
  SliceSource source;
};
Result<SourceSettings> resolve_settings_for_slices(const GlobalOptions& options, const std::string& word);

/// The slices by name, in their order, before anything is known of them.
struct SliceSet {
  SliceSource source;
  std::vector<std::string> names;
  std::optional<QueuedResource> resource;  ///< where they come from one
};

/// Asks the API. The nodes of a prefix come in the order of their numbers, which may have gaps. Errors: as
/// find_resource() says; kNotFound where no node has the prefix. A single node is not asked for here.
Result<SliceSet> find_slices(Api& api, const SliceSource& source);

/// Refuses (kConflict) a queued resource that is not ACTIVE, with what to type: "cannot run on 'q': ...".
/// What stands alone has no state but its slices' own.
Result<void> require_active(const SliceSet& slices, const std::string& to_do);

}  // namespace slipway::cli
