#include "slipway/fleet/fan_out.h"

#include "fleet/engine.h"

namespace slipway::fleet {

Result<std::vector<Outcome>> fan_out(const std::vector<Target>& targets, const CommandFor& command_for,
                                     const FanOutOptions& options, Clock& clock, const Interrupt& interrupt,
                                     Reporter& reporter) {
  TRY(reserve_descriptors(targets.size()));
  TRY(reserve_memory(targets.size()));
  TRY(Reactor reactor, Reactor::create(targets.size() + 2));
  return Engine(targets, command_for, options, clock, interrupt, reporter, std::move(reactor)).run();
}

}  // namespace slipway::fleet
