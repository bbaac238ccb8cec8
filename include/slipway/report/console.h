#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/streams.h"
#include "slipway/report/line_assembler.h"
#include "slipway/report/screen_region.h"
#include "slipway/ssh/session.h"

namespace slipway::report {

/// Our stdout and stderr as all that shows a run shares them. Lines go out whole. What a worker said can
/// command no terminal. What is drawn at the bottom of the terminal steps aside for a line, and is drawn
/// again after it.
class Console {
 public:
  /// What may wait for a slow reader before the workers are made to wait.
  static constexpr std::size_t kMostBacklog = std::size_t{1} << 20;
  /// A cut line (LineEnd::kCut) ends in this.
  static constexpr std::string_view kCutMark = " [the line goes on]";

  /// `streams` outlive it.
  explicit Console(Streams& streams) : streams_(streams) {}

  bool is_terminal(ssh::Stream stream) const;
  bool has_color(ssh::Stream stream) const;

  /// A line of a worker behind `prefix`, which is ours. A terminal gets what it can show (as_on_terminal), a
  /// pipe or a file the line's own bytes.
  void worker_line(ssh::Stream stream, std::string_view prefix, std::string_view line, LineEnd end);
  /// A worker's bytes as they are; never for a terminal.
  void worker_bytes(ssh::Stream stream, std::string_view bytes);
  /// A line of ours as it is.
  void write_line(ssh::Stream stream, std::string_view line);
  /// "slipway: <sentence>", on stderr.
  void say(std::string_view sentence);

  /// Draws at the bottom of the terminal, in place of what was drawn before; false when our reader has no
  /// room now.
  bool draw(const std::vector<StyledLine>& lines, TerminalSize size);
  void erase_drawing();
  /// Somebody else wrote there: what is drawn next begins on a line of its own.
  void forget_drawing() { bottom_.forget(); }
  bool has_drawing() const { return bottom_.shown(); }

  std::size_t backlog() const { return streams_.out->backlog() + streams_.err->backlog(); }
  bool congested() const { return backlog() > kMostBacklog; }
  int wait_fd() const;
  void drain();
  /// Writes all, waiting for the reader.
  void flush();
  /// stdout could not be written (kLocal); nullptr when it could. A reader that left is no error.
  const Error* error() const { return streams_.out->error(); }

 private:
  OutputStream& way(ssh::Stream stream) {
    return stream == ssh::Stream::kOut ? *streams_.out : *streams_.err;
  }
  void say_once_that_nobody_reads();

  Streams& streams_;
  ScreenRegion bottom_;
  bool nobody_reads_ = false;
};

}  // namespace slipway::report
