#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::emulator {

/// What somebody lets befall a queued resource, from outside of the API.
struct Incident {
  enum class Kind {
    kPreempt,   ///< machines are taken away; a spot request whose last slice goes is suspended
    kRepair,    ///< slices get new machines; then the others are restarted
    kFail,      ///< the request fails; the chosen slices go, the others stay
    kSuspend,   ///< the slices go, the request stays and is never queued again
    kMaintain,  ///< like kPreempt, but new machines always come
  };
  Kind kind = Kind::kPreempt;
  std::vector<std::size_t> slices;                        ///< by index; empty: all
  std::vector<std::size_t> workers;                       ///< of each of them; empty: all
  std::optional<std::chrono::milliseconds> repair_after;  ///< nothing: kPreempt takes them for good
  /// Of kPreempt and kMaintain: how long the machines know of it before they go.
  std::chrono::milliseconds notice{0};
  int code = 13;  ///< google.rpc.Code of kFail
  std::string message = "An internal error has occurred";
  bool by_user = false;  ///< of kSuspend
};
/// "preempt", "repair", ..: as in the commands.
std::string_view to_string(Incident::Kind kind);

/// A slice that an incident can choose.
struct Machines {
  std::string slice;
  std::size_t workers = 0;
};

/// The slices that the queued resource `id` has now. Errors: kNotFound for no such resource, or no emulator.
Result<std::vector<Machines>> machines_of(const std::string& state_dir, const std::string& id);
/// Lets it befall; returns at once, while machines still come and go. Errors: kNotFound; kConflict where the
/// resource is in no state for it.
Result<void> befall(const std::string& state_dir, const std::string& id, const Incident& incident);

}  // namespace slipway::emulator
