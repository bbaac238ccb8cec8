#include "fleet/engine.h"
#include "fleet/names.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::fleet {
namespace {

/// Fewer than one in this many is a straggler; more of them are the run.
constexpr std::size_t kFew = 8;

}  // namespace

void Engine::expect_stragglers() {
  last_end_ = now_;
  straggler_patience_ = options_.straggler_after;
  straggler_look_.reset();
  if (released_) straggler_look_ = now_ + straggler_patience_;
}

/// Names the few that still run long after the others have ended: so looks a worker that hangs.
void Engine::tell_of_stragglers() {
  if (!straggler_look_ || now_ < *straggler_look_) return;
  straggler_patience_ *= 2;
  straggler_look_ = now_ + straggler_patience_;
  const std::size_t running = members_.size() - ended_;
  if (running == 0 || running > std::max<std::size_t>(1, members_.size() / kFew)) return;
  reporter_.on_notice(
      fmt::format("waiting for {} alone: {} ended, the last of them {} ago", running_text(),
                  counted(ended_, "other worker"),
                  format_duration(std::chrono::floor<std::chrono::seconds>(now_ - last_end_))));
}

}  // namespace slipway::fleet
