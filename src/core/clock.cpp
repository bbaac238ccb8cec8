#include "slipway/core/clock.h"

#include <poll.h>
#include <time.h>

#include <algorithm>

#include "slipway/core/interrupt.h"

namespace slipway {

BootClock::time_point BootClock::now() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

bool SystemClock::sleep_until(time_point when) {
  using std::chrono::milliseconds;
  while (true) {
    if (interrupt_ != nullptr && interrupt_->requested()) return false;
    const auto left = std::chrono::ceil<milliseconds>(when - now());
    if (left <= milliseconds(0)) return true;
    // poll() counts on the monotonic clock, which stands still while a laptop sleeps: look again at least
    // every 10 s.
    const auto step = std::min(left, milliseconds(10'000));
    pollfd watched{interrupt_ != nullptr ? interrupt_->fd() : -1, POLLIN, 0};
    ::poll(&watched, 1, static_cast<int>(step.count()));
  }
}

}  // namespace slipway
