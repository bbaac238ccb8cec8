#pragma once

#include <chrono>

namespace slipway {

/// CLOCK_BOOTTIME: never set back, and it goes on while a laptop sleeps, so a deadline means the same to us
/// as to the person who set it.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept;
};

class Interrupt;

/// The time, and waiting for it. A seam: tests move a fake one.
class Clock {
 public:
  using time_point = BootClock::time_point;
  using duration = BootClock::duration;

  virtual ~Clock() = default;
  virtual time_point now() const = 0;
  /// The calendar's time, for what people and servers read. Never for deadlines.
  virtual std::chrono::system_clock::time_point wall_now() const = 0;
  /// Waits until `when`; false when an interrupt came first.
  virtual bool sleep_until(time_point when) = 0;
};

class SystemClock final : public Clock {
 public:
  /// `interrupt`, if given, ends a sleep at once; it outlives the clock.
  explicit SystemClock(const Interrupt* interrupt = nullptr) : interrupt_(interrupt) {}
  time_point now() const override { return BootClock::now(); }
  std::chrono::system_clock::time_point wall_now() const override { return std::chrono::system_clock::now(); }
  bool sleep_until(time_point when) override;

 private:
  const Interrupt* interrupt_;
};

}  // namespace slipway
