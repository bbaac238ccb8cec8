#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "slipway/core/format.h"
#include "slipway/fleet/fan_out.h"

namespace slipway::fleet {
namespace {

/// What a live session takes (docs/performance.md), with room for the output of those that print.
constexpr std::size_t kWorker = std::size_t{48} << 10;

/// The number behind `name` in a file of lines; SIZE_MAX when there is none.
std::size_t number_in(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::size_t number = 0;
    if (word == name && file >> number) return number;
  }
  return SIZE_MAX;
}

std::size_t free_on_machine() {
  const std::size_t kib = number_in("/proc/meminfo", "MemAvailable:");
  return kib == SIZE_MAX ? SIZE_MAX : kib << 10;
}

/// A container's limit (cgroup v2 as it looks from inside); "max" is no number.
std::size_t free_in_container() {
  std::size_t limit = 0;
  std::size_t used = 0;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> limit)) return SIZE_MAX;
  if (!(std::ifstream("/sys/fs/cgroup/memory.current") >> used)) return SIZE_MAX;
  return limit - std::min(used, limit);
}

/// `ulimit -v`.
std::size_t free_in_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  const std::size_t kib = number_in("/proc/self/status", "VmSize:");
  const std::size_t used = kib == SIZE_MAX ? 0 : kib << 10;
  return limit.rlim_cur - std::min<std::size_t>(used, limit.rlim_cur);
}

}  // namespace

Result<void> reserve_memory(std::size_t workers) {
  const std::size_t free = std::min({free_on_machine(), free_in_container(), free_in_address_space()});
  const std::size_t fit = free / kWorker;
  if (workers <= fit) return {};
  return Error(ErrorCode::kLocal,
               fmt::format("{} workers need {} MiB of memory, and {} MiB are free here: {} workers fit",
                           workers, workers * kWorker >> 20, free >> 20, fit))
      .why("each worker's session is kept for as long as its command runs")
      .next("choose fewer workers with --node and --worker");
}

}  // namespace slipway::fleet
