#pragma once

#include <map>
#include <optional>

#include "cli/services.h"
#include "slipway/launch/job_objects.h"
#include "slipway/report/console.h"
#include "slipway/report/line_assembler.h"

namespace slipway::cli {

/// Shows what one worker said on stdout, attempt after attempt, in whole lines: to a terminal with nothing in
/// it that could command one. A line on stderr says where an attempt begins.
class JobLog {
 public:
  /// `only`: of this attempt alone.
  JobLog(storage::Bucket& bucket, const std::string& prefix, int slice, int worker, std::optional<int> only,
         Services& services)
      : reader_(bucket, prefix, slice, worker),
        slice_(slice),
        worker_(worker),
        only_(only),
        services_(services),
        console_(services.streams) {}

  /// Shows what has come since the last call. Errors: the bucket's; kLocal when stdout cannot be written.
  Result<void> show_more();
  /// Shows a last line that has no newline.
  void finish();
  bool said_something() const { return said_; }

 private:
  void begin(int attempt);
  void show(std::string_view bytes);

  launch::LogReader reader_;
  int slice_;
  int worker_;
  std::optional<int> only_;
  Services& services_;
  report::Console console_;
  report::LineAssembler lines_;
  int attempt_ = 0;
  bool said_ = false;
};

}  // namespace slipway::cli
