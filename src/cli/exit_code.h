#pragma once

#include <string>
#include <vector>

#include "slipway/core/error.h"
#include "slipway/fleet/outcome.h"
#include "slipway/model/selection.h"

namespace slipway::cli {

/// The only table of exit codes; `slipway help exit-codes` prints it for people.
inline constexpr int kOk = 0;
int exit_code(const Error& error);

/// What a fan-out ends with: 0 when at least `required` workers ended ok, and none was without the right host
/// key (no --require excuses that); else, of what happened to the others, the most serious (4 for a refused
/// key or a host key, 8 for unreachable or lost, 124 when --timeout ended it, 3 for a failed command).
int exit_code(const std::vector<fleet::Outcome>& outcomes, std::size_t required);

/// Of several codes the one to end with: 4, then 10, 8, 124, 3, then 9, 7, 6, 5, 2, 1.
int more_serious(int a, int b);

}  // namespace slipway::cli
