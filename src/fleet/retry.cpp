#include "fleet/retry.h"

#include <algorithm>
#include <cerrno>

namespace slipway::fleet {

bool may_retry(const ssh::Failed& failed, int socket_error) {
  if (failed.started || failed.hopeless) return false;
  if (failed.kind != ssh::Failed::Kind::kUnreachable && failed.kind != ssh::Failed::Kind::kTimedOut &&
      failed.kind != ssh::Failed::Kind::kTurnedAway && failed.kind != ssh::Failed::Kind::kLost) {
    return false;
  }
  const bool hopeless = socket_error == EINVAL || socket_error == EAFNOSUPPORT || socket_error == EACCES ||
                        socket_error == EPERM || socket_error == EADDRNOTAVAIL;
  return !hopeless;
}

bool out_of_descriptors(int socket_error) {
  return socket_error == EMFILE || socket_error == ENFILE || socket_error == ENOBUFS;
}

Clock::duration retry_delay(int attempt, const RandomUnit& random) {
  using std::chrono::milliseconds;
  const milliseconds ceiling =
      std::min(milliseconds(250) * (1 << std::min(attempt - 1, 3)), milliseconds(2'000));
  const std::chrono::duration<double> delay = random() * ceiling;
  return std::max<Clock::duration>(std::chrono::duration_cast<Clock::duration>(delay), milliseconds(10));
}

}  // namespace slipway::fleet
