#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/resumption.h"
#include "slipway/fleet/fan_out.h"
#include "slipway/report/console.h"
#include "slipway/report/run_progress.h"

namespace slipway::report {

/// Where all workers are, drawn at the bottom of the terminal until all have ended: at most ten times a
/// second, right after a resize, and gone without a trace at the end.
class LiveView final : public fleet::Reporter {
 public:
  /// How much of the window it may take.
  enum class Share {
    kWindow,  ///< nothing else is shown there
    kThird,   ///< the workers' lines go by above it
  };
  using WindowSize = std::function<TerminalSize()>;

  /// All outlive it. stderr must be a terminal that can redraw (Streams::err_redraws).
  LiveView(const std::vector<fleet::Target>& targets, Console& console, const Clock& clock, Share share,
           WindowSize size = terminal_size);
  ~LiveView() override;

  void on_phase(std::size_t target, ssh::Phase phase) override;
  void on_output(std::size_t, ssh::Stream, std::string_view) override {}
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  void on_notice(std::string_view) override {}
  std::optional<Clock::time_point> next_drain() const override;
  void drain() override;

 private:
  bool is_stale(TerminalSize size, std::chrono::seconds elapsed) const;

  const std::vector<fleet::Target>& targets_;
  Console& console_;
  const Clock& clock_;
  Share share_;
  WindowSize size_;
  RunProgress progress_;
  Resumption resumption_;
  Clock::time_point begun_;
  Clock::time_point next_look_;
  bool changed_ = true;
  TerminalSize drawn_size_;
  std::chrono::seconds drawn_elapsed_{};
};

}  // namespace slipway::report
