#include "cli/project_trust.h"

#include <algorithm>
#include <filesystem>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

namespace fs = std::filesystem;

// clang-format off
/// What a project may say: what is asked for and how it is shown. A new flag is closed until it stands here.
constexpr const char* kOpen[] = {
    // where, and how it is shown
    "project", "zone", "api-version", "billing-project", "bucket", "format", "fields", "color", "log-format",
    "quiet", "verbose", "dry-run", "filter", "sort-by", "limit", "page-size",
    // the shape of a resource
    "accelerator-type", "type", "topology", "runtime-version", "node-id", "node-count", "node-prefix",
    "workload-type", "spot", "best-effort", "guaranteed", "min-duration", "reserved", "reservation",
    "reservation-host-project", "reservation-host-folder", "reservation-host-organization",
    "provisioning-model", "max-run-duration", "valid-after-duration", "valid-after-time",
    "valid-until-duration", "valid-until-time", "network", "subnetwork", "internal-ips", "network-config",
    "range", "service-account", "scopes", "data-disk", "boot-disk", "shielded-secure-boot",
    "autocheckpoint-enabled", "description", "tags", "labels", "metadata", "startup-script",
    // which workers, and what they run
    "node", "worker", "require", "command", "script", "user", "env", "secret", "setup", "code",
    "rank-env", "megascale-env", "jax-env", "batch-size", "connect-timeout", "keepalive", "fail-fast",
    "no-kill", "output", "internal-ip", "ssh-port", "port", "tunnel-through-iap",
    // a job
    "checkpoint-dir", "checkpoint-rule", "done-when", "max-failures", "setup-tries", "fatal-codes",
    "backoff", "grace", "hang-timeout", "late-after", "poll", "log-period", "log-size", "release",
    "print-script", "follow", "attempt",
    // how long, and what counts as done
    "wait", "async", "timeout", "for", "if-active", "if-exists", "if-not-exists", "state", "older-than", "label",
    // the emulator
    "provision-delay", "capacity", "unreachable", "detach", "method", "path", "skip", "times", "status",
    "header", "retry-after", "carry-out", "delay", "lost-answer", "before", "message", "repair-after",
    "notice", "initiator"};
// clang-format on

Error refusal(const std::string& what) { return {ErrorCode::kUsage, what}; }

/// ".env", "a/.git/config"; not "." and "..".
bool has_hidden_part(const fs::path& path) {
  return std::any_of(path.begin(), path.end(), [](const fs::path& part) {
    const std::string name = part.string();
    return name.size() > 1 && name.front() == '.' && name != "..";
  });
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

bool project_may_set(const std::string& flag) {
  return std::find(std::begin(kOpen), std::end(kOpen), flag) != std::end(kOpen);
}

bool is_project_path(const std::string& command, const std::string& flag) {
  return flag == "startup-script" || flag == "script" || (flag == "code" && command == "launch");
}

Result<std::string> project_path(const std::string& folder, const std::string& word) {
  if (word.rfind("gs://", 0) == 0) return word;
  if (word.rfind("git+", 0) == 0) return refusal("a project's file cannot name a repository");
  std::error_code failure;
  const fs::path base = fs::canonical(folder.empty() ? "." : folder, failure);
  if (failure) return refusal(fmt::format("'{}': {}", folder, failure.message()));
  const fs::path path = fs::weakly_canonical(base / word, failure).lexically_normal();
  if (failure || !is_inside(path, base))
    return refusal(fmt::format("'{}' is outside of the project", printable(word)));
  if (has_hidden_part(path.lexically_relative(base)))
    return refusal(fmt::format("'{}' is hidden", printable(word)));
  return path.string();
}

}  // namespace slipway::cli
