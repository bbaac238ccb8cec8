#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/fd.h"
#include "slipway/core/json.h"
#include "slipway/core/streams.h"
#include "slipway/fleet/fan_out.h"
#include "slipway/report/run_summary.h"

namespace slipway::report {

/// --events FILE: one JSON object a line for the run's begin and end and for each change of a worker's state,
/// as it happens. docs/events.md has every field. A slow reader (FILE may be a pipe) makes the workers wait;
/// one that left, or a full disk, ends the events and not the run.
class EventLog final : public fleet::Reporter {
 public:
  using OnError = std::function<void(const Error&)>;

  /// Makes or empties `path`. The others outlive it. `on_error` is told once when it cannot be written any
  /// more. Errors: kUsage, it cannot be opened.
  static Result<std::unique_ptr<EventLog>> open(const std::string& path,
                                                const std::vector<fleet::Target>& targets, const Clock& clock,
                                                OnError on_error = {});

  void run_started(const RunRecord& run);
  void run_ended(const RunRecord& run, const std::vector<fleet::Outcome>& outcomes);

  void on_phase(std::size_t target, ssh::Phase phase) override;
  void on_output(std::size_t, ssh::Stream, std::string_view) override {}
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  void on_notice(std::string_view text) override;
  bool congested() const override;
  bool pending() const override { return stream_->backlog() > 0; }
  int wait_fd() const override { return stream_->fd(); }
  void drain() override;

  /// What went wrong with writing (kLocal); nullptr when nothing did.
  const Error* error() const { return stream_->error(); }

 private:
  EventLog(Fd file, const std::vector<fleet::Target>& targets, const Clock& clock, OnError on_error);
  Json begin(std::string_view event);
  Json begin(std::string_view event, std::size_t target);
  void write(const Json& event);

  const std::vector<fleet::Target>& targets_;
  const Clock& clock_;
  OnError on_error_;  ///< empty once it was told
  Fd file_;
  std::unique_ptr<OutputStream> stream_;
  std::uint64_t sequence_ = 0;
  std::vector<unsigned short> attempts_;
};

}  // namespace slipway::report
