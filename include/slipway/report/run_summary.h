#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "slipway/core/json.h"
#include "slipway/fleet/outcome.h"
#include "slipway/fleet/target.h"

namespace slipway::report {

/// "exit 3", "signal KILL", "lost: the connection closed", "unreachable: Connection refused".
std::string describe(const fleet::Outcome& outcome);

/// What a person reads after a run: one line for each cause ("qr-2/[0-1]: unreachable: Connection refused"),
/// and always as the last line the sum: "13 ok, 1 failed (exit 3: qr-1/0), 2 unreachable (qr-2/[0-1])".
std::vector<std::string> summary_lines(const std::vector<fleet::Target>& targets,
                                       const std::vector<fleet::Outcome>& outcomes);

/// Why this was no success, one line for each cause, failed commands included.
std::vector<std::string> failure_lines(const std::vector<fleet::Target>& targets,
                                       const std::vector<fleet::Outcome>& outcomes);

struct RunRecord {
  std::string run_id;
  std::string queued_resource;
  std::chrono::system_clock::time_point started_at;
  std::chrono::system_clock::time_point ended_at;
  int exit_code = 0;
};

/// How many workers ended how; every kind is counted, also those that are 0.
Json summary_json(const std::vector<fleet::Outcome>& outcomes);
/// "outcome" and the fields that apply to it.
Json outcome_json(const fleet::Outcome& outcome);

/// The object of --format json and of run.json. Under "summary" every kind of outcome is counted, also those
/// that are 0; a worker has only the fields that apply to its outcome.
Json run_json(const RunRecord& run, const std::vector<fleet::Target>& targets,
              const std::vector<fleet::Outcome>& outcomes);

}  // namespace slipway::report
