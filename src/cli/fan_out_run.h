#pragma once

#include <string>
#include <vector>

#include "cli/host_key_book.h"
#include "cli/services.h"
#include "slipway/fleet/fan_out.h"
#include "slipway/report/worker_output.h"

namespace slipway::cli {

/// How one fan-out is shown and kept.
struct FanOutRun {
  std::string queued_resource;
  report::OutputMode output = report::OutputMode::kPrefix;
  std::string output_dir;  ///< empty: none
  bool json_to_stdout = false;
  HostKeyBook* host_keys = nullptr;  ///< outlives the run; keeps what it learns
};

/// Runs it, shows it, keeps it, and says the sum as the last line. The number is the exit code.
Result<int> perform(const FanOutRun& run, const std::vector<fleet::Target>& targets,
                    const fleet::CommandFor& command_for, const fleet::FanOutOptions& options,
                    Services& services);

}  // namespace slipway::cli
