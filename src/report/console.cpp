#include "slipway/report/console.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

/// Lines are gathered up to this before a write; drain(), which the engine calls once a turn, writes what is
/// left.
constexpr std::size_t kWriteAt = 64 * 1024;

}  // namespace

bool Console::is_terminal(ssh::Stream stream) const {
  return stream == ssh::Stream::kOut ? streams_.out_is_tty : streams_.err_is_tty;
}

bool Console::has_color(ssh::Stream stream) const {
  return stream == ssh::Stream::kOut ? streams_.out_color : streams_.err_color;
}

void Console::worker_line(ssh::Stream stream, std::string_view prefix, std::string_view line, LineEnd end) {
  OutputStream& to = way(stream);
  if (to.closed()) return;
  const bool terminal = is_terminal(stream);
  if (terminal) erase_drawing();
  to.queue(prefix);
  to.queue(terminal ? std::string_view(as_on_terminal(line)) : line);
  if (end == LineEnd::kCut) to.queue(kCutMark);
  to.queue("\n");
  if (backlog() > kWriteAt) drain();
}

void Console::worker_bytes(ssh::Stream stream, std::string_view bytes) {
  way(stream).queue(bytes);
  if (backlog() > kWriteAt) drain();
}

void Console::write_line(ssh::Stream stream, std::string_view line) {
  if (is_terminal(stream)) erase_drawing();
  way(stream).queue(line);
  way(stream).queue("\n");
}

void Console::say(std::string_view sentence) {
  erase_drawing();
  streams_.err->queue(fmt::format("slipway: {}\n", printable(sentence)));
}

bool Console::draw(const std::vector<StyledLine>& lines, TerminalSize size) {
  if (backlog() > 0) return false;
  streams_.err->queue(bottom_.draw(lines, size));
  streams_.err->drain();
  return true;
}

void Console::erase_drawing() {
  if (!bottom_.shown()) return;
  streams_.err->queue(bottom_.erase(terminal_size()));
  streams_.err->drain();  // before the line that comes next, which may go to stdout on the same terminal
}

int Console::wait_fd() const {
  return streams_.out->backlog() >= streams_.err->backlog() ? streams_.out->fd() : streams_.err->fd();
}

void Console::drain() {
  streams_.err->drain();
  streams_.out->drain();
  say_once_that_nobody_reads();
}

void Console::flush() {
  streams_.err->flush();
  streams_.out->flush();
  say_once_that_nobody_reads();
}

void Console::say_once_that_nobody_reads() {
  if (nobody_reads_ || (!streams_.out->closed() && streams_.out->error() == nullptr)) return;
  nobody_reads_ = true;
  say(streams_.out->closed() ? "nobody reads our stdout any more; the workers go on"
                             : streams_.out->error()->message() + "; the workers go on");
  streams_.err->drain();
}

}  // namespace slipway::report
