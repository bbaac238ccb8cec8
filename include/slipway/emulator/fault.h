#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::emulator {

/// Something that goes wrong with requests of one kind, as somebody asked for it.
struct Fault {
  enum class Cut {
    kNone,
    kBefore,  ///< the connection ends before anything was done
    kAfter,   ///< the request is carried out; then the connection ends without an answer
  };

  std::string id;      ///< given by the emulator: "f1", "f2", ..
  std::string method;  ///< in capitals; empty: any
  std::string path;    ///< a part of the path, or with * or ? a pattern for all of it; empty: any
  int skip = 0;        ///< so many matching requests go well first
  int times = 1;       ///< then so many do not; 0: all
  std::chrono::milliseconds delay{0};
  Cut cut = Cut::kNone;
  int status = 0;          ///< of the answer; 0: the real answer
  bool carry_out = false;  ///< with `status`: what was asked for is done all the same
  std::string body;        ///< with `status`; empty: an error as the API words it
  std::vector<std::pair<std::string, std::string>> headers;  ///< with `status`
  int hits = 0;                                              ///< requests that it has met
};

/// Adds it to the emulator that runs in `state_dir`; the answer is its id. Errors: kNotFound when none runs,
/// kUsage for one that means nothing.
Result<std::string> add_fault(const std::string& state_dir, const Fault& fault);
/// In the order in which they were added: the first that matches a request is the one that it meets. Those
/// that are used up are still listed.
Result<std::vector<Fault>> list_faults(const std::string& state_dir);
/// Takes back one, or all when `id` is empty. Errors: kNotFound.
Result<void> clear_faults(const std::string& state_dir, const std::string& id);

}  // namespace slipway::emulator
