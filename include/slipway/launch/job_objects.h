#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slipway/launch/job_status.h"
#include "slipway/storage/bucket.h"

namespace slipway::launch {

/// One launch of a job: the objects below "<home>/<job>/<number>/". Another launch under the same name, when
/// the user asks for it, gets the next number, so that nothing of the one before is overwritten or deleted.
struct Launch {
  int number = 0;  ///< 0: there is none
  std::string prefix;
};

/// The launches of a job whose home is "<home>/<job>", the newest last. Errors: the bucket's.
Result<std::vector<Launch>> launches(storage::Bucket& bucket, const std::string& home);

/// Reads a launch's state again and again; only what has changed is fetched.
class JobReader {
 public:
  /// `bucket` outlives it.
  JobReader(storage::Bucket& bucket, std::string prefix) : bucket_(bucket), prefix_(std::move(prefix)) {}

  Result<JobStatus> look();

 private:
  struct Seen {
    std::int64_t generation = 0;
    std::string content;
  };
  storage::Bucket& bucket_;
  std::string prefix_;
  std::map<std::string, Seen> seen_;
};

/// The object that ends a job for which no worker is left to write it: what `ctl/finished` holds after a
/// stop.
std::string stopped_object(const JobStatus& status, const std::string& text,
                           std::chrono::system_clock::time_point now);

/// What one worker said, in the pieces that it uploads, from the first attempt on or from one alone.
class LogReader {
 public:
  /// `bucket` outlives it.
  LogReader(storage::Bucket& bucket, std::string prefix, int slice, int worker);

  /// The output of `attempt` that has arrived since the last call for it. Errors: the bucket's.
  Result<std::string> more(int attempt);
  /// The attempts of which there is output, in order. Errors: the bucket's.
  Result<std::vector<int>> attempts();

 private:
  std::string folder(int attempt) const;

  storage::Bucket& bucket_;
  std::string prefix_;
  std::string slot_;
  std::map<int, std::string> last_;  ///< by attempt: the newest piece that was read
};

}  // namespace slipway::launch
