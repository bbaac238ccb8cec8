#include "cli/status_line.h"

#include <algorithm>

namespace slipway::cli {

void StatusLine::draw(const std::string& text) {
  if (services_.quiet || !services_.streams.err_redraws) return;
  const std::size_t most = static_cast<std::size_t>(std::max(20, services_.streams.columns - 1));
  services_.streams.err->write("\r\x1b[K" + text.substr(0, most));
  drawn_ = true;
}

void StatusLine::clear() {
  if (!drawn_) return;
  services_.streams.err->write("\r\x1b[K");
  drawn_ = false;
}

void StatusLine::say(const std::string& sentence) {
  clear();
  services_.say(sentence);
}

}  // namespace slipway::cli
