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
  Error error = std::move(result).error();
  // Ours to say only where the transport did not: its reason is worth more than ours.
  if (code == ErrorCode::kInterrupted)
    error = std::move(error).why(
        "whether it was done is not known; the same command again asks for the same and cannot do it twice");
  return std::move(error).next(looking(name));
}

}  // namespace slipway::tpu
