#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cli/services.h"
#include "cli/status_line.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {

/// Tells a person how the wait for one resource goes: a line for each change of state; a line a minute while
/// nothing changes; and once, that more than 15 minutes have gone by in one queueing state.
class StateNotes {
 public:
  StateNotes(std::string name, Services& services, StatusLine& line)
      : name_(std::move(name)), services_(services), line_(line) {}

  /// True when it said something, or kept a minute's silence: nothing has to be drawn instead.
  bool note(const tpu::Sight& sight);
  /// "q: PROVISIONING, 1 of 4 slices ready", of the last sight.
  const std::string& sentence() const { return shown_; }

 private:
  void warn_of_long_wait(const tpu::Sight& sight);

  std::string name_;
  Services& services_;
  StatusLine& line_;
  std::string shown_;
  Clock::duration said_at_{};
  Clock::duration state_since_{};
  std::string state_;
  bool warned_ = false;
};

/// The same for one or several at once. On a terminal one line is redrawn instead of the lines a minute: it
/// has the elapsed time and where each stands.
class StateWatch {
 public:
  StateWatch(const std::vector<std::string>& names, Services& services);
  StateWatch(const std::string& name, Services& services)
      : StateWatch(std::vector<std::string>{name}, services) {}

  void operator()(std::size_t index, const tpu::Sight& sight);
  void operator()(const tpu::Sight& sight) { (*this)(0, sight); }

 private:
  void draw(const tpu::Sight& sight);

  StatusLine line_;
  std::deque<StateNotes> notes_;
};

}  // namespace slipway::cli
