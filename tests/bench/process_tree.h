#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace slipway::bench {

/// `root` and all that it has started, and these in turn, as /proc shows it now.
std::vector<pid_t> process_tree(pid_t root);

/// The memory that these processes cost the machine: the sum of their proportional set sizes, in which a page
/// that k processes share counts as 1/k for each. Needs the right to read /proc/PID/smaps_rollup.
std::size_t proportional_kib(const std::vector<pid_t>& processes);

/// Ends `root` and all below it.
void kill_tree(pid_t root);

}  // namespace slipway::bench
