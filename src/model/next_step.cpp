#include "slipway/model/next_step.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway {

std::string next_step(const QueuedResource& resource) {
  using State = QueuedResourceState;
  const std::string id = shell_quote(resource.name.id);
  switch (resource.state) {
    case State::kFailed:  // it may have slices that still run, and goes with force only then
      return fmt::format("slipway delete {0} --force   (or: slipway create {0} --recreate ...)", id);
    case State::kSuspended:
      return fmt::format("slipway delete {0}   (or: slipway create {0} --recreate ...)", id);
    case State::kSuspending:
      return fmt::format("slipway wait {} --for SUSPENDED", id);
    case State::kDeleting:
      return fmt::format("slipway wait {} --for DELETED", id);
    case State::kActive:
    case State::kOther:
      return "";
    default:
      return fmt::format("slipway wait {} --for ACTIVE", id);
  }
}

}  // namespace slipway
