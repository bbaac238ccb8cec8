#pragma once

#include <optional>
#include <string>

#include "cli/api.h"
#include "slipway/launch/job_objects.h"
#include "slipway/model/queued_resource.h"

namespace slipway::cli {

/// The key of a node's metadata that says which job it works for: "gs://BUCKET/HOME/JOB/LAUNCH".
inline constexpr const char* kJobMetadata = "slipway-job";

/// That value; empty when the resource works for no job.
std::string job_uri_of(const QueuedResource& resource);

/// Where one launch of a job keeps its objects, and the resource that it runs on.
struct JobPlace {
  std::string bucket;
  launch::Launch launch;
  std::optional<QueuedResource> resource;  ///< nothing when it is gone

  /// "gs://BUCKET/HOME/JOB/LAUNCH".
  std::string uri() const { return "gs://" + bucket + "/" + launch.prefix; }
  /// What --bucket was for the job of this name: "gs://BUCKET/HOME".
  std::string home_uri(const std::string& job) const;
};

/// The newest launch of the job of this name: below `bucket_uri` (--bucket) when that is given, else where
/// the queued resource of that name says. Errors: kNotFound, with what to type; the API's and the bucket's.
Result<JobPlace> find_job(Api& api, const QueuedResourceName& name, const std::string& bucket_uri);

/// Whether no machine can be at work for this launch any more: its resource is gone, is another's by now, or
/// has lost its slices for good. Errors: the API's.
Result<bool> is_deserted(Api& api, const JobPlace& place);

/// Refuses (kConflict) where the resource works for a job that is not over: another program on its workers
/// would take its chips. Where the bucket cannot be read, the job counts as not over.
Result<void> check_no_live_job(Api& api, const QueuedResource& resource);

}  // namespace slipway::cli
