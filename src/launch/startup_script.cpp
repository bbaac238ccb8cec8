#include "slipway/launch/startup_script.h"

#include "launch/startup_text.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::launch {
namespace {

constexpr std::size_t kMaxMetadataValue = 256 * 1024;  // of one value, Compute Engine's limit

/// "NAME=VALUE\n", whatever the value's bytes are.
std::string assignment(std::string_view name, std::string_view value) {
  return fmt::format("readonly {}={}\n", name, shell_quote(value));
}

std::string assignment(std::string_view name, long value) {
  return fmt::format("readonly {}={}\n", name, value);
}

std::string list(std::string_view name, const std::vector<std::string>& words) {
  return fmt::format("readonly {}=({})\n", name, shell_join(words));
}

std::string header(const JobSpec& job, const ServiceEndpoints& endpoints) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : job.environment) environment.push_back(name + "=" + value);
  std::vector<std::string> secrets;
  for (const SecretReference& secret : job.secrets) secrets.push_back(secret.name + "=" + secret.reference);
  return assignment("JOB_NAME", job.name) + assignment("JOB_DIGEST", job_digest(job)) +
         assignment("JOB_BUCKET", job.home.bucket) + assignment("JOB_PREFIX", job_prefix(job)) +
         assignment("JOB_STORAGE", endpoints.storage) + assignment("JOB_TPU", endpoints.tpu) +
         assignment("JOB_SECRET_MANAGER", endpoints.secret_manager) +
         assignment("JOB_CODE_BUCKET", job.code.bucket) + assignment("JOB_CODE_OBJECT", job.code.prefix) +
         assignment("JOB_CODE_SHA256", job.code_sha256) + assignment("JOB_RUNTIME", job.runtime_version) +
         assignment("JOB_SETUP", job.setup) + assignment("JOB_SETUP_TRIES", job.setup_tries) +
         assignment("JOB_COMMAND", job.command) + assignment("JOB_USER", job.user) +
         list("JOB_ENV", environment) + list("JOB_SECRETS", secrets) +
         assignment("JOB_CHECKPOINT_DIR", job.checkpoint_dir) +
         assignment("JOB_CHECKPOINT_RULE",
                    job.checkpoint_rule == CheckpointRule::kOrbax ? "orbax" : "plain") +
         assignment("JOB_DONE_WHEN", job.done_when) + assignment("JOB_MAX_FAILURES", job.max_failures) +
         assignment("JOB_FATAL_CODES", fmt::format("{}", fmt::join(job.fatal_codes, " "))) +
         assignment("JOB_BACKOFF_LEAST", job.backoff_least.count()) +
         assignment("JOB_BACKOFF_MOST", job.backoff_most.count()) +
         assignment("JOB_GRACE", job.grace.count()) +
         assignment("JOB_HANG_TIMEOUT", job.hang_timeout.count()) + assignment("JOB_POLL", job.poll.count()) +
         assignment("JOB_LATE_AFTER", job.late_after.count()) +
         assignment("JOB_RELEASE", to_string(job.release)) + assignment("JOB_SLICES", job.slices) +
         assignment("JOB_CHIPS", static_cast<long>(job.chips)) + assignment("JOB_RESOURCE", job.resource) +
         assignment("JOB_LOG_BYTES", job.log_bytes) + assignment("JOB_LOG_PERIOD", job.log_period.count());
}

}  // namespace

Result<std::string> startup_script(const JobSpec& job, const ServiceEndpoints& endpoints) {
  TRY(check_job(job));
  std::string script = "#!/usr/bin/env bash\n" + header(job, endpoints) + std::string(kStartupProgram);
  if (script.size() <= kMaxMetadataValue) return script;
  return Error(ErrorCode::kUsage,
               fmt::format("the startup script has {} bytes; metadata takes 262144", script.size()))
      .why("--command, --setup and --env stand in it")
      .next("put long scripts into the folder of --code, and call them from --command");
}

}  // namespace slipway::launch
