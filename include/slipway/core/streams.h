#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "slipway/core/interrupt.h"
#include "slipway/core/result.h"

namespace slipway {

/// One way out: a terminal, a pipe, a file, or a test's string. Writing never interleaves inside one call.
class OutputStream {
 public:
  virtual ~OutputStream() = default;
  /// Takes all of `text` for writing; nothing is dropped while the reader lives.
  virtual void queue(std::string_view text) = 0;
  /// Writes what the reader takes now, without blocking.
  virtual void drain() = 0;
  /// Writes all that is queued, waiting for the reader.
  virtual void flush() = 0;
  /// Bytes queued and not yet written.
  virtual std::size_t backlog() const = 0;
  /// The descriptor to wait on until it is writable; -1 when there is none (a test's string).
  virtual int fd() const = 0;
  /// What went wrong with writing, kept from the first time: kLocal. A reader that left (EPIPE) is not an
  /// error; the stream is then `closed()` and swallows what comes.
  virtual const Error* error() const = 0;
  virtual bool closed() const = 0;

  void write(std::string_view text) {
    queue(text);
    flush();
  }
};

/// Writes to a descriptor, which must outlive it. Pipes and terminals are never written to without a poll
/// first, so that a stalled reader stalls nobody else.
std::unique_ptr<OutputStream> make_fd_output(int fd);

/// How many characters a terminal shows.
struct TerminalSize {
  int columns = 80;
  int rows = 24;
};
/// Of the terminal on stderr, now; where there is none, what COLUMNS and LINES say, else 80 by 24.
TerminalSize terminal_size();

enum class ColorWish { kAuto, kAlways, kNever };

/// Where a program's words go and come from. stdout is data; stderr is everything said to a person.
struct Streams {
  std::unique_ptr<OutputStream> out;
  std::unique_ptr<OutputStream> err;
  bool in_is_tty = false;
  bool out_is_tty = false;
  bool err_is_tty = false;
  /// stderr is a terminal that can go back over what it shows (TERM names one that is not dumb).
  bool err_redraws = false;
  bool out_color = false;
  bool err_color = false;
  int columns = 80;

  /// The process's own three, with colour as kAuto says. One of descriptors 0 to 2 that was closed is taken
  /// first, so that no socket gets its number; what is then written there is an error and not lost in
  /// silence.
  static Streams standard();
  /// kAuto: NO_COLOR, then CLICOLOR_FORCE, then CLICOLOR=0, then whether it is a terminal that is not dumb.
  void choose_color(ColorWish wish);
};

/// One line from stdin, without its newline. Errors: kUsage at the end of input, kInterrupted.
Result<std::string> read_line(const Interrupt& interrupt);

}  // namespace slipway
