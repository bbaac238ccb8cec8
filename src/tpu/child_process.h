#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/result.h"

namespace slipway::tpu {

struct ChildProgram {
  std::vector<std::string> words;        ///< words[0] is looked for in PATH; no shell is involved
  std::vector<std::string> environment;  ///< "NAME=value", all that it gets
  std::chrono::milliseconds timeout{0};
  std::size_t max_output = 0;
};

struct ChildOutput {
  std::string out;
  std::string last_error_line;  ///< of its stderr, for people
  int exit_code = -1;           ///< 128+n when signal n ended it
  bool timed_out = false;
};

/// Runs it to its end, with stdin closed. When the time is up, or an interrupt comes, or it says too much, it
/// and all that it started in its process group is killed. Errors: kDenied when it cannot be started or says
/// too much, kInterrupted.
Result<ChildOutput> run_child(const ChildProgram& program, Clock& clock);

}  // namespace slipway::tpu
