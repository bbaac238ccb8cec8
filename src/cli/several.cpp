#include "cli/several.h"

#include "cli/error_text.h"
#include "cli/exit_code.h"
#include "slipway/core/format.h"

namespace slipway::cli {

void Several::add(Error error) {
  ++failed_;
  if (total_ == 1) {
    only_ = std::move(error);
    return;
  }
  code_ = more_serious(code_, exit_code(error));
  services_.streams.err->write(error_text(command_, error));
}

Result<int> Several::result() const {
  if (only_) return *only_;
  if (failed_ > 0) services_.say(fmt::format("{} of {} failed", failed_, total_));
  return code_;
}

}  // namespace slipway::cli
