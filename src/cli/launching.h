#pragma once

#include "cli/countdown.h"
#include "cli/create_request.h"
#include "cli/job_place.h"
#include "slipway/launch/code_archive.h"
#include "slipway/launch/job_spec.h"
#include "slipway/launch/startup_script.h"

namespace slipway::cli {

/// How a launch behaves where the name was used before.
struct LaunchingOptions {
  bool replace = false;   ///< another launch of the name, from its beginning
  bool recreate = false;  ///< a queued resource that is FAILED or SUSPENDED goes first
};

/// One job from its words to its queued resource. Whatever ends this process on the way, the same command
/// again ends with one launch and one resource: what is in the bucket under the spec's digest is taken over.
class Launching {
 public:
  /// All outlive it. `archive` is empty when the code is in a bucket already, or when there is none.
  Launching(Api& api, const QueuedResourceName& name, launch::JobSpec job,
            const std::optional<launch::CodeArchive>& archive, CreateRequest request,
            const LaunchingOptions& options, Services& services);

  /// Errors: kConflict for a name that another spec has, a job that is over, or a resource in the way; as
  /// Creation; the bucket's.
  Result<JobPlace> run(const launch::ServiceEndpoints& endpoints);

 private:
  Result<void> choose_launch();
  Result<void> take_over(const launch::Launch& before, const std::string& document);
  Result<void> check_resource();
  Result<void> upload_code();
  Result<void> write_spec();
  /// Gives the name back where nothing was made for it and nothing can come of the request any more.
  void forget_refused(const Error& error);
  Error another_spec(const std::string& before) const;

  Api& api_;
  const QueuedResourceName& name_;
  launch::JobSpec job_;
  const std::optional<launch::CodeArchive>& archive_;
  CreateRequest request_;
  const LaunchingOptions& options_;
  Services& services_;
  storage::Bucket bucket_;
  bool is_new_ = true;                           ///< no launch of this spec is in the bucket
  std::optional<std::int64_t> spec_generation_;  ///< of the spec that we wrote
};

/// "gs://BUCKET/HOME/JOB/LAUNCH".
std::string job_uri(const launch::JobSpec& job);

/// The request with the job's own metadata: its script, and where its objects are. Errors (kUsage): a script
/// that is too large, a key that the user gave too.
Result<CreateRequest> with_job(CreateRequest request, const launch::JobSpec& job,
                               const launch::ServiceEndpoints& endpoints);

}  // namespace slipway::cli
