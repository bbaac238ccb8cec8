#include "cli/commands/commands.h"

namespace slipway::cli {

void add_all_commands(CommandLine& line) {
  add_create(line);
  add_describe(line);
  add_list(line);
  add_workers(line);
  add_wait(line);
  add_reset(line);
  add_delete(line);
  add_sweep(line);
  add_run(line);
  add_ssh(line);
  add_tunnel(line);
  add_launch(line);
  add_status(line);
  add_logs(line);
  add_stop(line);
  add_accelerator_types(line);
  add_runtime_versions(line);
  add_locations(line);
  add_emulator(line);
  add_config(line);
  add_help(line);
}

}  // namespace slipway::cli
