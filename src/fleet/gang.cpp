#include <algorithm>

#include "fleet/engine.h"
#include "fleet/names.h"
#include "fleet/outcome_of.h"
#include "slipway/core/format.h"

namespace slipway::fleet {

/// Once, when everybody is ready or will never be.
void Engine::decide_gang() {
  if (released_ || undecided_ > 0 || interrupts_heard_ > 0) return;
  released_ = true;
  const std::size_t needed = options_.require.of(targets_.size());
  if (held_ < needed) return end_held_for_want_of_others(needed);
  if (options_.timeout) timeout_at_ = clock_.now() + *options_.timeout;
  for (Index i = 0; i < members_.size(); ++i) {
    if (members_[i].stage == Stage::kHeld) release(i);
  }
}

void Engine::release(Index i) {
  leave_stage(i);
  members_[i].stage = Stage::kReleased;
  members_[i].needs_command = true;
  queue(i);
}

/// In the member's own turn, which sends it: thousands of commands at once are megabytes.
void Engine::hand_over_command(Index i) {
  const ssh::RemoteCommand command = command_for_(i);
  commands_die_with_us_ = commands_die_with_us_ && command.kill_on_disconnect;
  ssh::WireCommand wire = ssh::to_wire(command);
  // Neighbours mostly have the same.
  if (!exec_line_ || *exec_line_ != wire.exec_line)
    exec_line_ = std::make_shared<const std::string>(std::move(wire.exec_line));
  members_[i].connection->session->release(exec_line_, std::move(wire.input), wire.shared_input);
  members_[i].needs_command = false;
}

void Engine::end_held_for_want_of_others(std::size_t needed) {
  const std::string why =
      options_.require.is_all()
          ? who_is_missing()
          : fmt::format("{} of {} are ready and --require {} needs {}: {}", held_, targets_.size(),
                        options_.require.text(), needed, who_is_missing());
  for (Index i = 0; i < members_.size(); ++i) {
    if (members_[i].stage == Stage::kHeld) end(i, not_started(ssh::Phase::kHeld, why));
  }
}

std::string Engine::who_is_missing() const {
  std::vector<std::string> names;
  for (Index i = 0; i < members_.size(); ++i) {
    if (members_[i].stage == Stage::kEnded)
      names.push_back(fmt::format("{} ({})", targets_[i].label(), outcomes_[i].error));
  }
  return "missing " + some_of(names);
}

}  // namespace slipway::fleet
