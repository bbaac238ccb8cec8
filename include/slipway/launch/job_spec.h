#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/storage/location.h"

namespace slipway::launch {

/// When the job gives its queued resource back, by itself.
enum class Release { kNever, kOnSuccess, kAlways };
/// Errors (kUsage): another word than never, on-success, always.
Result<Release> parse_release(const std::string& word);
std::string to_string(Release release);

/// How a complete checkpoint is told from a half-written one.
enum class CheckpointRule {
  kOrbax,  ///< on an object store a step's folder holds commit_success.txt; elsewhere it was renamed
  kPlain,  ///< a step in the name is enough
};

/// The value of an environment variable that must not stand in metadata or in the bucket: a file on the
/// workers ("file:/path"), or a version in Secret Manager ("secret:projects/P/secrets/S/versions/V").
struct SecretReference {
  std::string name;
  std::string reference;
};

/// A job as a person asked for it: what runs on every worker, and what counts as its end. Values only; the
/// queued resource's shape is CreateSpec's.
struct JobSpec {
  std::string name;
  storage::Location home;   ///< all objects of the job lie below gs://bucket/prefix/<job>/<launch>
  int launch = 1;           ///< another launch under a name that was used before has the next number
  storage::Location code;   ///< a .tar.gz, the prefix being its whole name; empty for none
  std::string code_sha256;  ///< of the archive, lower-case hexadecimal
  std::string setup;        ///< shell text, run as root, once for each set-up, code and image
  std::string command;      ///< shell text, run as `user` on every worker
  std::string user = "root";
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<SecretReference> secrets;
  std::string checkpoint_dir;  ///< gs:// or a path that all workers see; empty: the job keeps none
  CheckpointRule checkpoint_rule = CheckpointRule::kOrbax;
  std::string done_when = "exit0";  ///< exit0, step:N, file:URI
  int max_failures = 10;            ///< in a row, without a new committed step between
  int setup_tries = 3;
  std::chrono::seconds backoff_least{10};
  std::chrono::seconds backoff_most{600};
  std::chrono::seconds grace{60};        ///< between TERM and KILL
  std::chrono::seconds hang_timeout{0};  ///< without output and without a new step; 0: never
  std::chrono::seconds late_after{0};    ///< until a worker that is not ready is named; 0: by the size
  std::chrono::seconds poll{2};          ///< between two looks of a worker at the bucket; grows with the job
  std::chrono::seconds log_period{60};   ///< between two uploads of new output; worker 0's are more frequent
  std::int64_t log_bytes = std::int64_t{256} << 20;  ///< of one attempt's output on a worker's disk
  Release release = Release::kNever;
  std::vector<int> fatal_codes{2, 64,
                               78};  ///< usage and configuration errors: trying again does not mend them
  int slices = 1;
  std::int64_t chips = 0;  ///< of one slice; 0: not known
  std::string accelerator_type;
  std::string runtime_version;
  std::string resource;  ///< projects/P/locations/Z/queuedResources/Q
};

/// What a worker could not live with. Errors: kUsage, with the flag's name.
Result<void> check_job(const JobSpec& job);

/// Below this the launches of the job lie: "runs/train-1"; and below that all objects of this one:
/// "runs/train-1/1".
std::string job_home(const JobSpec& job);
std::string job_prefix(const JobSpec& job);

/// The spec as the bucket keeps it, and the SHA-256 of it that names the job: the same words give the same
/// digest.
std::string job_document(const JobSpec& job);
std::string job_digest(const JobSpec& job);

/// Lower-case hexadecimal.
std::string sha256_hex(std::string_view bytes);

}  // namespace slipway::launch
