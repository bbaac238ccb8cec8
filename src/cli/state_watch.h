#pragma once

#include <optional>
#include <string>

#include "cli/services.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {

/// Tells a person how a wait goes: a line for each change of state; a line a minute while nothing changes;
/// and once, that more than 15 minutes have gone by in one queueing state. On a terminal one line is redrawn
/// instead of the line a minute.
class StateWatch {
 public:
  StateWatch(std::string name, Services& services) : name_(std::move(name)), services_(services) {}
  ~StateWatch() { clear_line(); }
  StateWatch(const StateWatch&) = delete;
  StateWatch& operator=(const StateWatch&) = delete;

  void operator()(const tpu::Sight& sight);

 private:
  void say(const std::string& sentence);
  void draw_line(const std::string& text);
  void clear_line();
  void warn_of_long_wait(const tpu::Sight& sight);

  std::string name_;
  Services& services_;
  std::string shown_;
  Clock::duration said_at_{};
  Clock::duration state_since_{};
  std::string state_;
  bool warned_ = false;
  bool line_drawn_ = false;
};

}  // namespace slipway::cli
