#pragma once

#include "cli/countdown.h"
#include "cli/job_log.h"
#include "cli/job_place.h"
#include "cli/status_line.h"
#include "slipway/launch/job_status.h"

namespace slipway::cli {

struct JobWatchOptions {
  bool follow = false;                               ///< show what slice 0 worker 0 says
  std::optional<std::chrono::milliseconds> timeout;  ///< of the wait; the job goes on
};

/// Looks on at a job until it is over, and says what happens. The job needs nobody to look on: leaving
/// changes nothing for it.
class JobWatch {
 public:
  /// All outlive it.
  JobWatch(Api& api, const QueuedResourceName& name, JobPlace place, const JobWatchOptions& options,
           Services& services);

  /// The exit code: 0 for done, 3 for given up, 1 for stopped. Errors: kImpossible when the resource failed
  /// or is gone while the job was not over; kTimeout; kInterrupted; the bucket's.
  Result<int> run();

 private:
  Result<bool> look();
  Result<void> look_at_resource();
  void tell(const launch::JobStatus& status);
  void tell_attempt(const launch::AttemptStatus& attempt);
  void tell_start(const launch::JobStatus& status);
  Result<void> await_release(const launch::JobStatus& status);
  Error cannot_come(const std::string& what, const std::string& why) const;

  /// What was said of an attempt already.
  struct Told {
    bool begun = false;
    bool late = false;
    bool ended = false;
    bool verdict = false;
    bool start = false;
  };

  Api& api_;
  const QueuedResourceName& name_;
  JobPlace place_;
  const JobWatchOptions& options_;
  Services& services_;
  StatusLine line_;
  storage::Bucket bucket_;
  launch::JobReader reader_;
  JobLog log_;
  launch::JobStatus status_;
  std::map<int, Told> told_;
  std::string state_;
  std::string create_time_;
  Clock::time_point began_;
  Clock::time_point looked_at_resource_{};
  std::optional<Clock::time_point> provisioning_at_, active_at_, booted_at_;
};

}  // namespace slipway::cli
