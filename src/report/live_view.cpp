#include "slipway/report/live_view.h"

#include <unistd.h>

#include "slipway/report/worker_grid.h"

namespace slipway::report {
namespace {

constexpr Clock::duration kBetweenLooks = std::chrono::milliseconds(100);

/// Behind a shell that has the terminal again ("bg") we do not draw over what it shows.
bool in_foreground() {
  const pid_t group = ::tcgetpgrp(STDERR_FILENO);
  return group < 0 || group == ::getpgrp();
}

}  // namespace

LiveView::LiveView(const std::vector<fleet::Target>& targets, Console& console, const Clock& clock,
                   Share share, WindowSize size)
    : targets_(targets),
      console_(console),
      clock_(clock),
      share_(share),
      size_(std::move(size)),
      progress_(targets.size(), clock.now()),
      begun_(clock.now()),
      next_look_(begun_) {}

LiveView::~LiveView() { console_.erase_drawing(); }

void LiveView::on_phase(std::size_t target, ssh::Phase phase) {
  progress_.on_phase(target, phase, clock_.now());
  changed_ = true;
}

void LiveView::on_outcome(std::size_t target, const fleet::Outcome& outcome) {
  progress_.on_outcome(target, outcome, clock_.now());
  changed_ = true;
}

std::optional<Clock::time_point> LiveView::next_drain() const {
  if (progress_.all_ended()) return std::nullopt;
  return next_look_;
}

void LiveView::drain() {
  if (progress_.all_ended()) return console_.erase_drawing();
  const Clock::time_point now = clock_.now();
  if (now < next_look_) return;
  next_look_ = now + kBetweenLooks;
  if (resumption_.take()) console_.forget_drawing();
  if (!in_foreground()) return console_.forget_drawing();

  const TerminalSize size = size_();
  const auto elapsed = std::chrono::floor<std::chrono::seconds>(now - begun_);
  if (!is_stale(size, elapsed)) return;
  const int most = share_ == Share::kWindow ? size.rows - 1 : size.rows / 3;
  const bool drawn = console_.draw(
      draw_grid(targets_, progress_, elapsed, size, {most, console_.has_color(ssh::Stream::kErr)}), size);
  if (!drawn) return;
  changed_ = false;
  drawn_size_ = size;
  drawn_elapsed_ = elapsed;
}

bool LiveView::is_stale(TerminalSize size, std::chrono::seconds elapsed) const {
  return changed_ || !console_.has_drawing() || elapsed != drawn_elapsed_ ||
         size.columns != drawn_size_.columns || size.rows != drawn_size_.rows;
}

}  // namespace slipway::report
