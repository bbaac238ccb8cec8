#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/streams.h"
#include "slipway/fleet/fan_out.h"
#include "slipway/report/line_assembler.h"
#include "slipway/report/progress_line.h"

namespace slipway::report {

enum class OutputMode {
  kPrefix,  ///< every line behind its worker's label: "qr-0/1: step 100"
  kNone,    ///< nothing of what the workers say
};

/// The workers' output as it comes, in whole lines: their stdout to ours, their stderr to ours. A terminal
/// gets only what it can show (see as_on_terminal); a pipe or a file gets each line's own bytes. Notices go
/// to stderr in every mode, and so does the end of each of the first few workers that failed after their
/// command had begun: the others may wait for them for ever.
class PrefixedOutput final : public fleet::Reporter {
 public:
  /// What may wait for a slow reader before the workers are made to wait.
  static constexpr std::size_t kMostBacklog = std::size_t{1} << 20;
  /// A cut line (LineEnd::kCut) ends in this.
  static constexpr std::string_view kCutMark = " [the line goes on]";

  /// All outlive it.
  PrefixedOutput(const std::vector<fleet::Target>& targets, Streams& streams, OutputMode mode);

  /// Keeps a ProgressLine as the last line of the terminal until all have ended, redrawn at most ten times a
  /// second. Nothing happens when stderr is no terminal that can.
  void show_progress(const Clock& clock);

  void on_phase(std::size_t target, ssh::Phase phase) override;
  void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) override;
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  void on_notice(std::string_view text) override;
  bool congested() const override;
  bool pending() const override { return backlog() > 0; }
  std::optional<Clock::time_point> next_drain() const override;
  int wait_fd() const override;
  void drain() override;

 private:
  struct Lines {
    LineAssembler out;
    LineAssembler err;
  };
  struct Progress {
    ProgressLine line;
    const Clock& clock;
    Clock::time_point drawn{};
    bool shown = false;
    bool changed = true;
  };

  std::size_t backlog() const { return streams_.out->backlog() + streams_.err->backlog(); }
  LineSink line_sink(std::size_t target, ssh::Stream stream);
  void write_line(OutputStream& to, bool terminal, const std::string& label, std::string_view line,
                  LineEnd end);
  void say(std::string_view text);
  void say_once_when_reader_left();
  void erase_progress();
  void draw_progress();

  const std::vector<fleet::Target>& targets_;
  Streams& streams_;
  OutputMode mode_;
  std::vector<std::unique_ptr<Lines>> lines_;  ///< made with a worker's first byte
  std::size_t ends_told_ = 0;
  bool closed_told_ = false;
  std::optional<Progress> progress_;
};

}  // namespace slipway::report
