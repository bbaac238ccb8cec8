#pragma once

#include <vector>

#include "cli/run_report.h"
#include "cli/services.h"
#include "slipway/fleet/fan_out.h"

namespace slipway::cli {

/// Runs it, shows it, keeps it, and says the sum as the last line. The number is the exit code.
Result<int> perform(const FanOutRun& run, const std::vector<fleet::Target>& targets,
                    const fleet::CommandFor& command_for, const fleet::FanOutOptions& options,
                    Services& services);

}  // namespace slipway::cli
