#pragma once

#include "cli/command_line.h"

namespace slipway::cli {

// One file a command. Each add_ names the command's flags and what runs it; the runner is a parameter, so
// that a test can look at what the words came to without doing it.
void add_create(CommandLine& line);
void add_describe(CommandLine& line);
void add_list(CommandLine& line);
void add_workers(CommandLine& line);
void add_launch(CommandLine& line);
void add_status(CommandLine& line);
void add_logs(CommandLine& line);
void add_stop(CommandLine& line);
void add_accelerator_types(CommandLine& line);
void add_runtime_versions(CommandLine& line);
void add_locations(CommandLine& line);
void add_wait(CommandLine& line);
void add_reset(CommandLine& line);
void add_delete(CommandLine& line);
void add_sweep(CommandLine& line);
void add_run(CommandLine& line);
void add_ssh(CommandLine& line);
void add_tunnel(CommandLine& line);
void add_emulator(CommandLine& line);
void add_emulator_fault(CommandLine& line);  // by add_emulator
void add_config(CommandLine& line);
void add_emulator_fault(CommandLine& line);      // by add_emulator
void add_emulator_incidents(CommandLine& line);  // by add_emulator
void add_help(CommandLine& line);

}  // namespace slipway::cli
