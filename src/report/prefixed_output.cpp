#include "slipway/report/prefixed_output.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/report/run_summary.h"

namespace slipway::report {
namespace {

constexpr std::size_t kMostEndsTold = 10;
/// Lines are gathered up to this before a write; drain(), which the engine calls once a turn, writes what is
/// left.
constexpr std::size_t kWriteAt = 64 * 1024;
constexpr Clock::duration kBetweenDraws = std::chrono::milliseconds(100);
/// To the start of the line, and clear it: every terminal since the VT100.
constexpr std::string_view kEraseLine = "\r\x1b[K";

bool ended_badly_after_its_start(const fleet::Outcome& outcome) {
  using fleet::OutcomeKind;
  return outcome.kind == OutcomeKind::kExit || outcome.kind == OutcomeKind::kSignal ||
         outcome.kind == OutcomeKind::kLost;
}

}  // namespace

PrefixedOutput::PrefixedOutput(const std::vector<fleet::Target>& targets, Streams& streams, OutputMode mode)
    : targets_(targets), streams_(streams), mode_(mode), lines_(targets.size()) {}

void PrefixedOutput::show_progress(const Clock& clock) {
  if (streams_.err_redraws) progress_.emplace(Progress{ProgressLine(targets_.size()), clock});
}

void PrefixedOutput::on_phase(std::size_t target, ssh::Phase phase) {
  if (!progress_) return;
  progress_->line.on_phase(target, phase);
  progress_->changed = true;
}

void PrefixedOutput::on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) {
  if (mode_ == OutputMode::kNone) return;
  if (!lines_[target]) lines_[target] = std::make_unique<Lines>();
  LineAssembler& lines = stream == ssh::Stream::kOut ? lines_[target]->out : lines_[target]->err;
  lines.add(bytes, line_sink(target, stream));
  if (backlog() > kWriteAt) drain();
}

void PrefixedOutput::on_outcome(std::size_t target, const fleet::Outcome& outcome) {
  if (lines_[target]) {
    lines_[target]->out.finish(line_sink(target, ssh::Stream::kOut));
    lines_[target]->err.finish(line_sink(target, ssh::Stream::kErr));
    lines_[target].reset();
  }
  if (progress_) {
    progress_->line.on_outcome(target, outcome);
    progress_->changed = true;
  }
  if (targets_.size() == 1 || !ended_badly_after_its_start(outcome) || ends_told_ > kMostEndsTold) return;
  if (ends_told_++ == kMostEndsTold) {
    say("more workers fail; the sum will name them");
  } else {
    say(fmt::format("{}: {}", targets_[target].label(), describe(outcome)));
  }
}

void PrefixedOutput::on_notice(std::string_view text) {
  say(text);
  streams_.err->drain();
}

LineSink PrefixedOutput::line_sink(std::size_t target, ssh::Stream stream) {
  return [this, target, stream](std::string_view line, LineEnd end) {
    const bool to_out = stream == ssh::Stream::kOut;
    write_line(to_out ? *streams_.out : *streams_.err, to_out ? streams_.out_is_tty : streams_.err_is_tty,
               targets_[target].label(), line, end);
  };
}

void PrefixedOutput::write_line(OutputStream& to, bool terminal, const std::string& label,
                                std::string_view line, LineEnd end) {
  if (to.closed()) return;
  if (terminal) erase_progress();
  to.queue(label);
  to.queue(": ");
  to.queue(terminal ? std::string_view(as_on_terminal(line)) : line);
  to.queue(end == LineEnd::kCut ? std::string(kCutMark) + "\n" : "\n");
}

void PrefixedOutput::say(std::string_view text) {
  erase_progress();
  streams_.err->queue(fmt::format("slipway: {}\n", printable(text)));
}

void PrefixedOutput::say_once_when_reader_left() {
  if (closed_told_ || !streams_.out->closed()) return;
  closed_told_ = true;
  say("nobody reads our stdout any more; the workers go on");
}

bool PrefixedOutput::congested() const { return backlog() > kMostBacklog; }

int PrefixedOutput::wait_fd() const {
  return streams_.out->backlog() >= streams_.err->backlog() ? streams_.out->fd() : streams_.err->fd();
}

std::optional<Clock::time_point> PrefixedOutput::next_drain() const {
  if (!progress_ || !progress_->changed) return std::nullopt;
  return progress_->drawn + kBetweenDraws;
}

void PrefixedOutput::drain() {
  streams_.out->drain();
  say_once_when_reader_left();
  streams_.err->drain();
  draw_progress();
}

void PrefixedOutput::erase_progress() {
  if (!progress_ || !progress_->shown) return;
  progress_->shown = false;
  progress_->changed = true;
  streams_.err->queue(kEraseLine);
  streams_.err->drain();  // before the line that comes next, which may go to stdout on the same terminal
}

void PrefixedOutput::draw_progress() {
  if (!progress_ || !progress_->changed || backlog() > 0) return;
  if (progress_->line.all_ended()) {
    erase_progress();
    progress_.reset();
    return;
  }
  const Clock::time_point now = progress_->clock.now();
  if (now - progress_->drawn < kBetweenDraws) return;
  erase_progress();
  streams_.err->queue(progress_->line.text(streams_.columns - 1));
  streams_.err->drain();
  progress_->drawn = now;
  progress_->shown = true;
  progress_->changed = false;
}

}  // namespace slipway::report
