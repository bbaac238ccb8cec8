#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/reach.h"
#include "cli/run_limits.h"
#include "slipway/ssh/remote_command.h"

namespace slipway::cli {

/// run's words, as typed.
struct RunOptions {
  std::string id;
  std::string command;
  std::string script;
  std::vector<std::string> argv;  ///< behind "--"
  std::string node = "all";
  std::string worker = "all";
  std::string require = "all";
  RunLimits limits;
  ReachOptions reach;
  std::vector<std::string> environment;
  std::string env_file;
  std::string stdin_file;
  bool rank_env = false;
  bool megascale_env = false;
  bool jax_env = false;
  std::string output = "prefix";
  std::string output_dir;
  std::string events;
  std::string junit;
  bool no_kill = false;
  bool over_job = false;
};

void bind_run_flags(Flags flags, RunOptions& options);

/// The command that --command, --script or the words behind "--" say, with --env and --env-file. Errors
/// (kUsage): none or several of them, a file that cannot be read, a variable that no shell takes.
Result<ssh::RemoteCommand> remote_command(const RunOptions& options);

/// What --stdin names; empty without it.
Result<std::string> command_input(const RunOptions& options);

Result<int> run_run(const RunOptions& options, Services& services, const GlobalOptions& global);

}  // namespace slipway::cli
