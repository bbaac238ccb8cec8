#include "cli/job_options.h"

#include <charconv>

#include "cli/flag_values.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

using std::chrono::seconds;

Error usage(const std::string& what) { return Error(ErrorCode::kUsage, what); }

Result<seconds> whole_seconds(const std::string& flag, const std::string& text) {
  const auto parsed = parse_duration(text);
  if (!parsed.ok()) return Error(parsed.error()).within(flag);
  return std::chrono::ceil<seconds>(*parsed);
}

Result<void> read_backoff(const std::string& text, launch::JobSpec& job) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos)
    return usage(fmt::format("--backoff: '{}' is not LEAST..MOST", printable(text)))
        .next("--backoff 10s..10m");
  TRY(job.backoff_least, whole_seconds("--backoff", text.substr(0, dots)));
  TRY(job.backoff_most, whole_seconds("--backoff", text.substr(dots + 2)));
  return {};
}

Result<std::pair<std::string, std::string>> name_and_value(const std::string& flag, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    return usage(fmt::format("{}: '{}' is not NAME=VALUE", flag, printable(word)));
  return std::pair(word.substr(0, equals), word.substr(equals + 1));
}

Result<void> read_fatal_codes(const std::string& text, launch::JobSpec& job) {
  job.fatal_codes.clear();
  for (const std::string& word : split(text, ',')) {
    if (word.empty()) continue;
    int code = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), code);
    if (failure != std::errc() || end != word.data() + word.size() || code < 1 || code > 255)
      return usage(fmt::format("--fatal-codes: '{}' is no exit code from 1 to 255", printable(word)));
    job.fatal_codes.push_back(code);
  }
  return {};
}

Result<void> read_rules(const JobOptions& options, launch::JobSpec& job) {
  if (options.checkpoint_rule != "orbax" && options.checkpoint_rule != "plain")
    return usage(fmt::format("--checkpoint-rule: '{}' is neither orbax nor plain",
                             printable(options.checkpoint_rule)));
  job.checkpoint_rule =
      options.checkpoint_rule == "plain" ? launch::CheckpointRule::kPlain : launch::CheckpointRule::kOrbax;
  job.checkpoint_dir = options.checkpoint_dir;
  job.done_when = options.done_when;
  job.max_failures = options.max_failures;
  job.setup_tries = options.setup_tries;
  TRY(read_fatal_codes(options.fatal_codes, job));
  TRY(job.release, launch::parse_release(options.release));
  return {};
}

Result<void> read_times(const JobOptions& options, launch::JobSpec& job) {
  TRY(read_backoff(options.backoff, job));
  TRY(job.grace, whole_seconds("--grace", options.grace));
  TRY(job.hang_timeout, whole_seconds("--hang-timeout", options.hang_timeout));
  TRY(job.late_after, whole_seconds("--late-after", options.late_after));
  TRY(job.poll, whole_seconds("--poll", options.poll));
  TRY(job.log_period, whole_seconds("--log-period", options.log_period));
  job.log_bytes = std::int64_t{options.log_size} << 20;
  return {};
}

}  // namespace

void bind_job_flags(Flags flags, JobOptions& options) {
  flags.text("f,file", options.file, "JOB.YAML", "the same flags as keys of a file: docs/job.md")
      .text("bucket", options.bucket, "gs://B/PREFIX", "where the job keeps its code, state and logs")
      .text("code", options.code, "CODE",
            "a folder, gs://B/FILE.tar.gz or git+URL@REV; the command runs inside it")
      .text("setup", options.setup, "SHELL", "run as root on every worker, once for each code and image")
      .text("command", options.command, "SHELL", "run on every worker in every attempt")
      .text("user", options.user, "NAME", "who runs the command (default root); made where it is missing")
      .texts("env", options.env, "K=V", "environment of set-up and command; stands in the metadata")
      .texts("secret", options.secret, "K=REF",
             "the same from file:/PATH on the workers or secret:projects/P/secrets/S/versions/V")
      .text("checkpoint-dir", options.checkpoint_dir, "URI",
            "gs://B/FOLDER, or a path that all workers see: where the command keeps its steps")
      .text("checkpoint-rule", options.checkpoint_rule, "RULE",
            "orbax (default): committed steps only; plain: a step in a name is enough")
      .text("done-when", options.done_when, "RULE", "exit0 (default), step:N or file:URI")
      .number("max-failures", options.max_failures, "N", "in a row without a new committed step (default 10)",
              0, 1000000)
      .number("setup-tries", options.setup_tries, "N", "give up when set-up fails so often (default 3)", 1,
              1000)
      .text("fatal-codes", options.fatal_codes, "CODE,..",
            "exit codes that trying again does not mend (default 2,64,78)")
      .text("backoff", options.backoff, "LEAST..MOST",
            "pause after a failure; doubles with each in a row (default 10s..10m)")
      .text("grace", options.grace, "TIME", "between TERM and KILL (default 60s)")
      .text("hang-timeout", options.hang_timeout, "TIME",
            "start anew after so long without output and without a new step (default 0: never)")
      .text("late-after", options.late_after, "TIME",
            "name the workers that are not ready after this (default 0: 10m and 10s a worker, at most 1h)")
      .text("poll", options.poll, "TIME",
            "between two looks of a worker at the bucket; grows with the job (default 2s)")
      .text("log-period", options.log_period, "TIME",
            "between uploads of new output (default 60s); worker 0 at most 5s")
      .number("log-size", options.log_size, "MIB", "of one attempt's output on a worker's disk (default 256)",
              1, 1000000)
      .text("release", options.release, "POLICY",
            "delete the queued resource at the end: never (default), on-success, always");
}

Result<launch::JobSpec> job_spec(const JobOptions& options) {
  launch::JobSpec job;
  job.name = options.name;
  if (options.bucket.empty()) {
    return usage("--bucket must be given: the job keeps its code, its state and its logs there")
        .next("--bucket gs://BUCKET/PREFIX");
  }
  TRY(job.home, storage::parse_location(options.bucket, "--bucket"));
  job.setup = options.setup;
  job.command = options.command;
  job.user = options.user;
  for (const std::string& word : options.env) {
    TRY(auto pair, name_and_value("--env", word));
    job.environment.push_back(std::move(pair));
  }
  for (const std::string& word : options.secret) {
    TRY(auto pair, name_and_value("--secret", word));
    job.secrets.push_back({std::move(pair.first), std::move(pair.second)});
  }
  TRY(read_rules(options, job));
  TRY(read_times(options, job));
  TRY(launch::check_job(job));
  return job;
}

}  // namespace slipway::cli
