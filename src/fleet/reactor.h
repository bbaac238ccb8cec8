#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::fleet {

/// Waits for many descriptors at once, in one thread. Each watched thing has a token below `tokens`; what a
/// token watches is never owned and never closed here.
class Reactor {
 public:
  using Token = std::size_t;

  /// Errors: kLocal, no event loop to be had.
  static Result<Reactor> create(std::size_t tokens);
  Reactor(Reactor&&) noexcept;
  ~Reactor();

  /// Reports `token` once when `fd` is readable, or writable; a regular file is both at once. What was asked
  /// for before and has not come is still on. False when there is no such descriptor.
  bool watch(Token token, int fd, bool read, bool write);
  /// Must come before `token`'s descriptor is closed.
  void forget(Token token);

  /// Waits until something is ready, at most `longest`, and appends whose it is. A token may come although
  /// there is nothing for it: look before you act.
  void wait(std::chrono::nanoseconds longest, std::vector<Token>& ready);

 private:
  class Impl;
  explicit Reactor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipway::fleet
