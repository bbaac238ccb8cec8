#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "emulator/api_error.h"
#include "slipway/emulator/fault.h"

namespace slipway::emulator {

/// The faults that are set, asked by every request. Several threads use it.
class Faults {
 public:
  /// Its id. INVALID_ARGUMENT for a fault that says nothing, or two things that exclude each other.
  std::variant<std::string, ApiError> add(Fault fault);
  std::vector<Fault> list() const;
  /// All for an empty id. False when there is none of this id.
  bool clear(const std::string& id);
  /// The fault that this request meets, counted.
  std::optional<Fault> meet(const std::string& method, const std::string& path);

 private:
  mutable std::mutex mutex_;
  std::vector<Fault> faults_;
  int made_ = 0;
};

/// The answer that a fault with a status gives when it has no body of its own: an error as the API words it,
/// or {}.
Answer answer_of(const Fault& fault);
/// Between the emulator and the commands that set faults.
Json to_json(const Fault& fault);
Fault fault_from(const Json& document);

}  // namespace slipway::emulator
