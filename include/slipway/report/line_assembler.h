#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace slipway::report {

/// How a piece of text came to its end.
enum class LineEnd {
  kNewline,  ///< a whole line
  kCut,      ///< the line goes on; it is longer than LineAssembler::kLongest
  kMissing,  ///< the stream ended without a newline
};
using LineSink = std::function<void(std::string_view line, LineEnd end)>;

/// The bytes of one stream of one worker, cut into whole lines without their '\n'. Nothing is dropped: the
/// pieces, joined, are the stream. '\r' is a byte like any other here; what it does on a terminal is
/// as_on_terminal()'s business.
class LineAssembler {
 public:
  /// The most that waits here for its newline. A longer line is cut, never inside a UTF-8 character.
  static constexpr std::size_t kLongest = 64 * 1024;

  /// Gives every line that `bytes` complete to `sink`. A view is good until the sink returns.
  void add(std::string_view bytes, const LineSink& sink);
  /// The stream is over: gives what is left, if anything is.
  void finish(const LineSink& sink);

 private:
  void keep(std::string_view bytes, const LineSink& sink);

  std::string begun_;
};

/// What a terminal shows of one line at its end: of the states that a progress bar wrote over each other
/// ("10%\r20%\r"), the last one; and nothing that could command the terminal.
std::string as_on_terminal(std::string_view line);

}  // namespace slipway::report
