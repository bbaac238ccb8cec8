#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/host_key_book.h"
#include "cli/services.h"
#include "slipway/fleet/fan_out.h"
#include "slipway/report/commentary.h"
#include "slipway/report/console.h"
#include "slipway/report/event_log.h"
#include "slipway/report/github_log.h"
#include "slipway/report/junit_report.h"
#include "slipway/report/live_view.h"
#include "slipway/report/output_directory.h"
#include "slipway/report/run_summary.h"
#include "slipway/report/tee.h"
#include "slipway/report/worker_output.h"

namespace slipway::cli {

/// How one fan-out is shown and kept: the flags of `run` that say so. An empty path is none.
struct FanOutRun {
  std::string queued_resource;
  report::OutputMode output = report::OutputMode::kPrefix;
  std::string output_dir;
  std::string events;
  std::string junit;
  bool json_to_stdout = false;
  HostKeyBook* host_keys = nullptr;  ///< outlives the run; keeps what it learns
};

/// What the words of --events and --junit alone decide (empty: none). Errors: kUsage, one that is no file, or
/// one file for both.
Result<void> check_reports(const std::string& events, const std::string& junit);

/// All that shows and keeps one run, put together.
class RunReport {
 public:
  /// `targets` and `services` outlive it. Errors: kUsage or kLocal, something cannot be written; nothing runs
  /// then.
  static Result<std::unique_ptr<RunReport>> open(const FanOutRun& run,
                                                 const std::vector<fleet::Target>& targets,
                                                 Services& services);

  fleet::Reporter& reporter() { return *tee_; }
  /// All have ended, and `code` is what that means. Writes what is left, with the sum as the last line. The
  /// number is the exit code: `code`, or 10 when something could not be written.
  int close(const std::vector<fleet::Outcome>& outcomes, int code);

 private:
  RunReport(const FanOutRun& run, const std::vector<fleet::Target>& targets, Services& services);
  Result<void> open_files();
  void note(const Error* error);
  void note(const Result<void>& result);
  void keep_host_keys();
  void say_sum(const std::vector<fleet::Outcome>& outcomes);

  const FanOutRun run_;
  const std::vector<fleet::Target>& targets_;
  Services& services_;
  report::RunRecord record_;
  report::Console console_;
  std::unique_ptr<report::WorkerOutput> shown_;
  report::Commentary commentary_;
  std::optional<report::LiveView> view_;
  std::optional<report::GithubLog> github_;
  std::optional<report::OutputDirectory> kept_;
  std::unique_ptr<report::EventLog> events_;
  std::optional<report::JunitReport> junit_;
  std::optional<report::Tee> tee_;
};

}  // namespace slipway::cli
