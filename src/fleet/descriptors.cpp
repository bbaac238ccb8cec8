#include <dirent.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "slipway/core/format.h"
#include "slipway/fleet/fan_out.h"

namespace slipway::fleet {
namespace {

/// The event loop has three; the rest is for what a library opens in passing.
constexpr std::size_t kOurs = 8;

std::size_t open_now() {
  constexpr std::size_t kLikely = 24;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), ::closedir);
  if (!folder) return kLikely;
  std::size_t count = 0;
  while (::readdir(folder.get()) != nullptr) ++count;
  return count - std::min<std::size_t>(count, 3);  // ".", "..", and the folder itself
}

Error too_many(std::size_t workers, std::size_t others, std::size_t limit) {
  const std::size_t fit = limit > others ? limit - others : 0;
  return Error(ErrorCode::kLocal,
               fmt::format("{} workers need {} open files, and this machine allows {}: {} workers fit",
                           workers, workers + others, limit, fit))
      .why(
          "each worker holds one connection for as long as its command runs; running them in portions would "
          "hang a program that waits for its peers")
      .next(fmt::format("ulimit -n {}   or choose fewer workers with --node and --worker", workers + others));
}

}  // namespace

Result<void> reserve_descriptors(std::size_t workers, std::size_t files) {
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
  const std::size_t others = open_now() + kOurs + files;
  if (workers > allowed || workers + others > allowed) return too_many(workers, others, allowed);
  return {};
}

}  // namespace slipway::fleet
