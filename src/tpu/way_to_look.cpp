#include "tpu/way_to_look.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::tpu {

std::string looking(const QueuedResourceName& name) {
  return fmt::format("slipway describe {} --project {} --zone {}", shell_quote(name.id),
                     shell_quote(name.location.project), shell_quote(name.location.zone));
}

}  // namespace slipway::tpu
