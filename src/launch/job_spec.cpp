#include "slipway/launch/job_spec.h"

#include <openssl/sha.h>

#include <cctype>
#include <set>

#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/model/resource_name.h"

namespace slipway::launch {
namespace {

Error usage(const std::string& what) { return Error(ErrorCode::kUsage, what); }

bool is_variable_name(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) return false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  }
  return true;
}

bool is_user_name(const std::string& name) {
  if (name.empty() || name.size() > 32 || name.front() == '-') return false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-' && c != '.') return false;
  }
  return true;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 12 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Errors (kUsage): no variable, or one that bash does not let anybody set.
Result<void> check_variable(const std::string& flag, const std::string& name) {
  static const std::set<std::string> kOfBash{
      "BASHOPTS",     "BASHPID", "BASH_VERSINFO", "DIRSTACK", "EPOCHREALTIME",
      "EPOCHSECONDS", "EUID",    "FUNCNAME",      "GROUPS",   "HISTCMD",
      "IFS",          "LINENO",  "PPID",          "RANDOM",   "SECONDS",
      "SHELLOPTS",    "SRANDOM", "UID",           "_"};
  if (!is_variable_name(name))
    return usage(fmt::format("{}: '{}' is no name of a variable", flag, printable(name)));
  if (kOfBash.count(name) > 0)
    return usage(fmt::format("{}: {} is bash's own: it would not arrive", flag, name));
  return {};
}

Result<void> check_environment(const JobSpec& job) {
  for (const auto& [name, value] : job.environment) {
    TRY(check_variable("--env", name));
    if (value.find('\0') != std::string::npos) return usage(fmt::format("--env: {} has a zero byte", name));
  }
  for (const SecretReference& secret : job.secrets) {
    TRY(check_variable("--secret", secret.name));
    const bool file = secret.reference.rfind("file:/", 0) == 0;
    const bool managed = secret.reference.rfind("secret:projects/", 0) == 0;
    if (!file && !managed) {
      return usage(fmt::format(
                       "--secret: {} must refer to file:/PATH or secret:projects/P/secrets/S/versions/V",
                       secret.name))
          .why("a secret itself would stand in the metadata, which everybody on the workers can read");
    }
  }
  return {};
}

Result<void> check_done_rule(const JobSpec& job) {
  const std::string& rule = job.done_when;
  if (rule == "exit0") return {};
  if (rule.rfind("file:", 0) == 0 && rule.size() > 5) return {};
  if (rule.rfind("step:", 0) == 0 && is_number(rule.substr(5))) {
    if (!job.checkpoint_dir.empty()) return {};
    return usage("--done-when step:N needs --checkpoint-dir: steps are counted there");
  }
  return usage(fmt::format("--done-when: there is no rule '{}'", printable(rule)))
      .why("exit0, step:N and file:URI are there");
}

Result<void> check_times(const JobSpec& job) {
  using std::chrono::seconds;
  if (job.backoff_least < seconds(1) || job.backoff_most < job.backoff_least)
    return usage("--backoff: LEAST..MOST, such as 10s..10m, with LEAST of at least 1s");
  if (job.grace < seconds(1)) return usage("--grace must be at least 1s");
  if (job.poll < seconds(1)) return usage("--poll must be at least 1s");
  if (job.setup_tries < 1) return usage("--setup-tries must be at least 1");
  if (job.log_period < seconds(1)) return usage("--log-period must be at least 1s");
  if (job.log_bytes < 4096) return usage("--log-size must be at least 4096");
  if (job.max_failures < 0) return usage("--max-failures must not be negative");
  return {};
}

std::string rule_name(CheckpointRule rule) { return rule == CheckpointRule::kOrbax ? "orbax" : "plain"; }

}  // namespace

Result<Release> parse_release(const std::string& word) {
  if (word == "never") return Release::kNever;
  if (word == "on-success") return Release::kOnSuccess;
  if (word == "always") return Release::kAlways;
  const std::string near = nearest(word, {"never", "on-success", "always"});
  return usage(fmt::format("--release: there is no policy '{}'", printable(word)))
      .why(near.empty() ? "never, on-success and always are there" : fmt::format("did you mean '{}'?", near));
}

std::string to_string(Release release) {
  switch (release) {
    case Release::kNever:
      return "never";
    case Release::kOnSuccess:
      return "on-success";
    case Release::kAlways:
      return "always";
  }
  return "never";
}

Result<void> check_job(const JobSpec& job) {
  TRY(check_resource_id("JOB", job.name));
  if (job.command.empty()) return usage("--command must say what runs on every worker");
  if (!is_user_name(job.user))
    return usage(fmt::format("--user: '{}' is no name of a user", printable(job.user)));
  for (const std::string* text : {&job.command, &job.setup}) {
    if (text->find('\0') != std::string::npos) return usage("--command and --setup cannot have a zero byte");
  }
  if (job.checkpoint_dir.rfind("gs://", 0) == 0) {
    TRY(const storage::Location place, storage::parse_location(job.checkpoint_dir, "--checkpoint-dir"));
    if (place.prefix.empty())
      return usage("--checkpoint-dir must be a folder in the bucket, not the bucket itself");
  } else if (!job.checkpoint_dir.empty() && job.checkpoint_dir.front() != '/') {
    return usage("--checkpoint-dir must be gs://BUCKET/FOLDER, or an absolute path that all workers see");
  }
  TRY(check_environment(job));
  TRY(check_done_rule(job));
  return check_times(job);
}

std::string job_home(const JobSpec& job) { return job.home.object(job.name); }

std::string job_prefix(const JobSpec& job) { return fmt::format("{}/{}", job_home(job), job.launch); }

std::string job_document(const JobSpec& job) {
  Json environment = Json::object();
  for (const auto& [name, value] : job.environment) environment[name] = value;
  Json secrets = Json::object();
  for (const SecretReference& secret : job.secrets) secrets[secret.name] = secret.reference;
  const Json document = {
      {"job", job.name},
      {"queuedResource", job.resource},
      {"acceleratorType", job.accelerator_type},
      {"runtimeVersion", job.runtime_version},
      {"slices", job.slices},
      {"code", job.code_sha256},
      {"setup", job.setup},
      {"command", job.command},
      {"user", job.user},
      {"env", std::move(environment)},
      {"secrets", std::move(secrets)},
      {"checkpointDir", job.checkpoint_dir},
      {"checkpointRule", rule_name(job.checkpoint_rule)},
      {"doneWhen", job.done_when},
      {"maxFailures", job.max_failures},
      {"backoff", {job.backoff_least.count(), job.backoff_most.count()}},
      {"grace", job.grace.count()},
      {"hangTimeout", job.hang_timeout.count()},
      {"fatalCodes", job.fatal_codes},
      {"setupTries", job.setup_tries},
      {"poll", job.poll.count()},
      {"lateAfter", job.late_after.count()},
      {"logPeriod", job.log_period.count()},
      {"logBytes", job.log_bytes},
      {"release", to_string(job.release)},
  };
  return dump_json(document, 2) + "\n";
}

std::string job_digest(const JobSpec& job) { return sha256_hex(job_document(job)); }

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  ::SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace slipway::launch
