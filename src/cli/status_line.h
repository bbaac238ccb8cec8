#pragma once

#include <string>

#include "cli/services.h"

namespace slipway::cli {

/// The one line of a terminal that is drawn again and again while something is waited for. Draws nothing
/// where stderr is no terminal.
class StatusLine {
 public:
  explicit StatusLine(Services& services) : services_(services) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void draw(const std::string& text);
  void clear();
  /// A whole line that stays, above the drawn one.
  void say(const std::string& sentence);

 private:
  Services& services_;
  bool drawn_ = false;
};

}  // namespace slipway::cli
