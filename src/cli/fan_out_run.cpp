#include "cli/fan_out_run.h"

#include "cli/exit_code.h"

namespace slipway::cli {

Result<int> perform(const FanOutRun& run, const std::vector<fleet::Target>& targets,
                    const fleet::CommandFor& command_for, const fleet::FanOutOptions& options,
                    Services& services) {
  TRY(const std::unique_ptr<RunReport> report, RunReport::open(run, targets, services));
  TRY(const std::vector<fleet::Outcome> outcomes,
      fleet::fan_out(targets, command_for, options, services.clock, services.interrupt, report->reporter()));
  int code = exit_code(outcomes, options.require.of(targets.size()));
  if (services.interrupt.requested())
    code = exit_code(Error::interrupted(services.interrupt.signal_number(), ""));
  return report->close(outcomes, code);
}

}  // namespace slipway::cli
