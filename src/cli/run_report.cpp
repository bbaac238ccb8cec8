#include "cli/run_report.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "cli/exit_code.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/log.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// Sorts by time, and no two are the same: 20261120T081530-1f0c.
std::string make_run_id(std::chrono::system_clock::time_point now) {
  const std::string time = format_rfc3339(now);  // 2026-11-20T08:15:30.250Z
  std::string id;
  for (const char c : time.substr(0, 19)) {
    if (c != '-' && c != ':') id += c;
  }
  return id + "-" + make_uuid().substr(0, 4);
}

Result<void> check_is_file_name(const std::string& path, const char* flag) {
  if (path != "-") return {};
  return Error(ErrorCode::kUsage, fmt::format("{} wants a file, and '-' is none", flag))
      .next(fmt::format("{} FILE", flag));
}

/// The same for all reports that cannot be written.
std::string advice(const std::string& path, const char* flag) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return fmt::format("mkdir -p {}   or another {}", shell_quote(folder.empty() ? "." : folder), flag);
}

/// Where `path` leads, whether a file is there or not.
std::filesystem::path place_of(std::filesystem::path path) {
  std::error_code unknown;
  if (std::filesystem::is_symlink(path, unknown))  // weakly_canonical() follows none that leads to nothing
    path = path.parent_path() / std::filesystem::read_symlink(path, unknown);
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
}

bool is_one_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  return place_of(one) == place_of(other) || std::filesystem::equivalent(one, other, unknown);
}

/// A file that is written at the end: that it cannot be is said before anything runs.
Result<void> check_folder_of(const std::string& path, const char* flag) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0) return {};
  return system_error(ErrorCode::kUsage, fmt::format("{}: cannot write '{}'", flag, path), errno)
      .next(advice(path, flag));
}

/// What -v shows goes to stderr by another way, into the middle of a drawing.
bool draws(const Services& services) {
  return services.streams.err_redraws && !services.quiet && !log_enabled(LogLevel::kInfo);
}

report::Commentary::Options options_of(const Services& services) {
  report::Commentary::Options options;
  options.late_workers = !services.quiet;
  options.signs_of_life = !services.quiet && !draws(services);
  return options;
}

/// Where the workers' lines go by on the same terminal, the view leaves them most of it.
report::LiveView::Share share_of_window(const FanOutRun& run, const Streams& streams) {
  using report::OutputMode;
  const bool silent = run.output == OutputMode::kNone || run.output == OutputMode::kFold;
  return silent || !streams.out_is_tty ? report::LiveView::Share::kWindow : report::LiveView::Share::kThird;
}

}  // namespace

RunReport::RunReport(const FanOutRun& run, const std::vector<fleet::Target>& targets, Services& services)
    : run_(run),
      targets_(targets),
      services_(services),
      console_(services.streams),
      shown_(report::make_worker_output(run.output, targets, console_)),
      commentary_(targets, console_, services.clock, options_of(services)) {
  record_.queued_resource = run.queued_resource;
  record_.started_at = services.clock.wall_now();
  record_.run_id = make_run_id(record_.started_at);
}

Result<std::unique_ptr<RunReport>> RunReport::open(const FanOutRun& run,
                                                   const std::vector<fleet::Target>& targets,
                                                   Services& services) {
  std::unique_ptr<RunReport> report(new RunReport(run, targets, services));
  TRY(report->open_files());
  std::vector<fleet::Reporter*> reporters{report->shown_.get(), &report->commentary_};
  if (report->kept_) reporters.push_back(&*report->kept_);
  if (run.host_keys != nullptr) {
    run.host_keys->say_through(
        [&commentary = report->commentary_](std::string_view sentence) { commentary.on_notice(sentence); });
    reporters.push_back(run.host_keys);
  }
  if (report->events_) reporters.push_back(report->events_.get());
  if (report->junit_) reporters.push_back(&*report->junit_);
  if (report::GithubLog::is_here()) report->github_.emplace(report->console_, make_uuid()).begin();
  if (draws(services)) {
    report->view_.emplace(targets, report->console_, services.clock, share_of_window(run, services.streams));
    reporters.push_back(&*report->view_);  // the last: it draws below what the others have said
  }
  report->tee_.emplace(std::move(reporters));
  return report;
}

Result<void> check_reports(const std::string& events, const std::string& junit) {
  TRY(check_is_file_name(events, "--events"));
  TRY(check_is_file_name(junit, "--junit"));
  if (events.empty() || junit.empty() || !is_one_file(events, junit)) return {};
  return Error(ErrorCode::kUsage, fmt::format("--events and --junit are the same file '{}'", junit))
      .why("the report would replace the events")
      .next("give each a file of its own");
}

Result<void> RunReport::open_files() {
  const auto say = [this](const Error& error) { console_.say(error.message() + "; the run goes on"); };
  if (!run_.junit.empty()) {
    TRY(check_folder_of(run_.junit, "--junit"));
    junit_.emplace(targets_);
  }
  if (!run_.output_dir.empty()) {
    TRY(kept_, report::OutputDirectory::create(run_.output_dir, targets_, say));
  }
  if (!run_.events.empty()) {
    auto opened = report::EventLog::open(run_.events, targets_, services_.clock, say);
    if (!opened) return std::move(opened).error().next(advice(run_.events, "--events"));
    events_ = std::move(*opened);
    events_->run_started(record_);
  }
  return {};
}

int RunReport::close(const std::vector<fleet::Outcome>& outcomes, int code) {
  record_.ended_at = services_.clock.wall_now();
  record_.exit_code = code;
  view_.reset();
  const Result<void> shown = shown_->finish();
  console_.flush();
  note(shown);
  note(console_.error());
  if (kept_) note(kept_->error());
  if (junit_) {
    Result<void> written = write_file_atomically(run_.junit, junit_->xml(record_, outcomes));
    if (!written) console_.say(written.error().message());
    note(written);
  }
  if (events_) {
    events_->run_ended(record_, outcomes);
    note(events_->error());
  }
  if (kept_) {
    const std::string json = dump_json(report::run_json(record_, targets_, outcomes), 2) + "\n";
    const Result<void> written = kept_->write_run_json(json);
    const bool is_news = !written && kept_->error() == nullptr;  // a full disk is said once
    if (is_news) console_.say(written.error().message());
    note(written);
  }
  keep_host_keys();
  if (run_.json_to_stdout)
    services_.streams.out->write(dump_json(report::run_json(record_, targets_, outcomes), 2) + "\n");
  if (github_) {
    github_->end("slipway run " + record_.queued_resource, report::failure_lines(targets_, outcomes));
  }
  say_sum(outcomes);
  return record_.exit_code;
}

void RunReport::note(const Error* error) {
  if (error != nullptr) record_.exit_code = more_serious(record_.exit_code, exit_code(*error));
}

void RunReport::note(const Result<void>& result) {
  if (!result) note(&result.error());
}

/// That the next run will meet strangers again is worth a sentence, and no reason to fail this one.
void RunReport::keep_host_keys() {
  if (run_.host_keys == nullptr) return;
  const Result<void> kept = run_.host_keys->save();
  if (!kept.ok()) console_.say(kept.error().message() + ": the workers' host keys are not kept");
  run_.host_keys->say_what_differs();
}

void RunReport::say_sum(const std::vector<fleet::Outcome>& outcomes) {
  console_.flush();  // the sum is the last line, also where both go to one terminal
  // The sum is the answer of the command, so -q does not take it away.
  for (const std::string& line : report::summary_lines(targets_, outcomes))
    services_.streams.err->write(line + "\n");
}

}  // namespace slipway::cli
