#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "slipway/core/clock.h"
#include "slipway/core/json.h"
#include "slipway/core/result.h"

namespace slipway::emulator {

/// The metadata servers of all workers: one address each, the worker's own, by which it is known who asks.
/// One thread for all of them, because a question may wait for hours for its answer to change.
/// https://cloud.google.com/compute/docs/metadata/querying-metadata
class MetadataServer {
 public:
  /// What the worker at this address knows of itself now; nothing when there is none. Called from the
  /// server's thread.
  using TreeOf = std::function<std::optional<Json>(const std::string& address)>;

  /// On port 80 if that can be had, else on a free one.
  static Result<std::unique_ptr<MetadataServer>> start(TreeOf tree_of);
  virtual ~MetadataServer() = default;

  virtual int port() const = 0;
  /// Begins to answer at `address`. Errors: kLocal. Again for one that it answers at already: nothing.
  virtual Result<void> listen(const std::string& address) = 0;
  virtual void forget(const std::string& address) = 0;
  /// Some tree may have changed: those who wait for that are looked at.
  virtual void note_change() = 0;
};

}  // namespace slipway::emulator
