#include "cli/fan_out_run.h"

#include <memory>
#include <optional>

#include "cli/error_text.h"
#include "cli/exit_code.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"
#include "slipway/report/commentary.h"
#include "slipway/report/console.h"
#include "slipway/report/live_view.h"
#include "slipway/report/output_directory.h"
#include "slipway/report/run_summary.h"
#include "slipway/report/tee.h"

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

void say_summary(const std::vector<fleet::Target>& targets, const std::vector<fleet::Outcome>& outcomes,
                 Services& services) {
  services.streams.out->flush();  // the sum is the last line, also where both go to one terminal
  // The sum is the answer of the command, so -q does not take it away.
  for (const std::string& line : report::summary_lines(targets, outcomes))
    services.streams.err->write(line + "\n");
}

/// Where the workers' lines go by on the same terminal, the view leaves them most of it.
report::LiveView::Share share_of_window(const FanOutRun& run, const Streams& streams) {
  using report::OutputMode;
  const bool silent = run.output == OutputMode::kNone || run.output == OutputMode::kFold;
  return silent || !streams.out_is_tty ? report::LiveView::Share::kWindow : report::LiveView::Share::kThird;
}

/// That the next run will meet strangers again is worth a sentence, and no reason to fail this one.
void keep_host_keys(HostKeyBook& book, report::Console& console) {
  const Result<void> kept = book.save();
  if (!kept.ok()) console.say(kept.error().message() + ": the workers' host keys are not kept");
  book.say_what_differs();
}

}  // namespace

Result<int> perform(const FanOutRun& run, const std::vector<fleet::Target>& targets,
                    const fleet::CommandFor& command_for, const fleet::FanOutOptions& options,
                    Services& services) {
  report::Console console(services.streams);
  const std::unique_ptr<report::WorkerOutput> shown =
      report::make_worker_output(run.output, targets, console);
  const bool live = services.streams.err_redraws && !services.quiet;
  report::Commentary commentary(targets, console, services.clock,
                                {!services.quiet, !services.quiet && !live});
  std::vector<fleet::Reporter*> reporters{shown.get(), &commentary};
  std::optional<report::LiveView> view;
  if (live) {
    view.emplace(targets, console, services.clock, share_of_window(run, services.streams));
    reporters.push_back(&*view);
  }
  std::optional<report::OutputDirectory> kept;
  if (!run.output_dir.empty()) {
    TRY(kept, report::OutputDirectory::create(run.output_dir, targets, [&](const Error& error) {
          console.say(error.message() + "; the run goes on");
        }));
    reporters.push_back(&*kept);
  }
  if (run.host_keys != nullptr) {
    run.host_keys->say_through([&](std::string_view sentence) { commentary.on_notice(sentence); });
    reporters.push_back(run.host_keys);
  }
  report::Tee reporter(reporters);

  report::RunRecord record;
  record.queued_resource = run.queued_resource;
  record.started_at = services.clock.wall_now();
  record.run_id = make_run_id(record.started_at);
  TRY(const std::vector<fleet::Outcome> outcomes,
      fleet::fan_out(targets, command_for, options, services.clock, services.interrupt, reporter));
  record.ended_at = services.clock.wall_now();
  view.reset();
  const Result<void> shown_whole = shown->finish();
  console.flush();

  record.exit_code = exit_code(outcomes, options.require.of(targets.size()));
  if (!shown_whole.ok()) record.exit_code = more_serious(record.exit_code, exit_code(shown_whole.error()));
  for (const Error* error : {console.error(), kept ? kept->error() : nullptr}) {
    if (error != nullptr) record.exit_code = more_serious(record.exit_code, exit_code(*error));
  }
  if (services.interrupt.requested())
    record.exit_code = exit_code(Error::interrupted(services.interrupt.signal_number(), ""));
  const std::string json = dump_json(report::run_json(record, targets, outcomes), 2) + "\n";
  if (kept) {
    const Result<void> written = kept->write_run_json(json);
    if (!written.ok()) {
      console.say(written.error().message());
      record.exit_code = more_serious(record.exit_code, exit_code(written.error()));
    }
  }
  if (run.host_keys != nullptr) keep_host_keys(*run.host_keys, console);
  if (run.json_to_stdout) services.streams.out->write(json);
  say_summary(targets, outcomes, services);
  return record.exit_code;
}

}  // namespace slipway::cli
