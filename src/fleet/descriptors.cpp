#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

#include "slipway/core/format.h"
#include "slipway/fleet/fan_out.h"

namespace slipway::fleet {
namespace {

/// The event loop, the three standard streams, the log, the open files of --output-dir, and what a library
/// opens in passing.
constexpr std::size_t kOthers = 96;

Error too_many(std::size_t workers, std::size_t limit) {
  const std::size_t fit = limit > kOthers ? limit - kOthers : 0;
  return Error(ErrorCode::kLocal,
               fmt::format("{} workers need {} open files, and this machine allows {}: {} workers fit",
                           workers, workers + kOthers, limit, fit))
      .why("each worker holds one connection for as long as its command runs")
      .next(
          fmt::format("ulimit -n {}   or choose fewer workers with --node and --worker", workers + kOthers));
}

}  // namespace

Result<void> reserve_descriptors(std::size_t workers) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return system_error(ErrorCode::kLocal, "cannot read the limit of open files", errno);
  }
  if (limit.rlim_cur < limit.rlim_max) {
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  const std::size_t allowed =
      limit.rlim_cur == RLIM_INFINITY ? SIZE_MAX : static_cast<std::size_t>(limit.rlim_cur);
  if (workers > allowed || workers + kOthers > allowed) return too_many(workers, allowed);
  return {};
}

}  // namespace slipway::fleet
