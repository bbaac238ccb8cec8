#pragma once

#include <string>
#include <vector>

#include "cli/commands/create.h"
#include "slipway/launch/job_spec.h"

namespace slipway::cli {

/// launch's words about what runs, as typed or from job.yaml.
struct JobOptions {
  std::string name;
  std::string file;
  std::string bucket;
  std::string code;
  std::string setup;
  std::string command;
  std::string user = "root";
  std::vector<std::string> env;
  std::vector<std::string> secret;
  std::string checkpoint_dir;
  std::string checkpoint_rule = "orbax";
  std::string done_when = "exit0";
  int max_failures = 10;
  int setup_tries = 3;
  std::string fatal_codes = "2,64,78";
  std::string backoff = "10s..10m";
  std::string grace = "60s";
  std::string hang_timeout = "0";
  std::string late_after = "0";
  std::string poll = "2s";
  std::string log_period = "60s";
  int log_size = 256;  ///< MiB
  std::string release = "never";
};

void bind_job_flags(Flags flags, JobOptions& options);

/// The job that the words ask for, without its code. Errors (kUsage): as launch::check_job, and what has no
/// meaning as a word.
Result<launch::JobSpec> job_spec(const JobOptions& options);

}  // namespace slipway::cli
