#pragma once

#include <string>
#include <utility>

#include "slipway/core/result.h"
#include "slipway/model/resource_name.h"

namespace slipway::tpu {

/// "slipway describe Q ...", complete: for whoever was cut off.
std::string looking(const QueuedResourceName& name);

/// What to say when a change was sent and nobody can tell what became of it.
template <typename Value>
Result<Value> with_way_to_look(Result<Value> result, const QueuedResourceName& name) {
  if (result.ok()) return result;
  const ErrorCode code = result.error().code();
  if (code != ErrorCode::kUnavailable && code != ErrorCode::kInterrupted) return result;
  return std::move(result).error().next(looking(name));
}

}  // namespace slipway::tpu
