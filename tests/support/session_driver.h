#pragma once

#include <poll.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "slipway/ssh/session.h"

namespace slipway::test {

/// One session with a blocking loop around it, and what came out of it.
class SessionDriver {
 public:
  SessionDriver(std::unique_ptr<ssh::Socket> socket, ssh::SessionOptions options)
      : session_(std::move(socket), std::move(options), [this](ssh::Stream stream, std::string_view bytes) {
          (stream == ssh::Stream::kOut ? out : err).append(bytes);
          largest_piece = std::max(largest_piece, bytes.size());
        }) {}

  ssh::Session& session() { return session_; }

  /// Advances until `condition` holds, the session is over, or `limit` has passed; true when the condition
  /// holds.
  bool until(const std::function<bool()>& condition,
             std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    const auto deadline = BootClock::now() + limit;
    while (!condition()) {
      if (over() || BootClock::now() >= deadline) return false;
      const ssh::Want want = turn();
      if (!over() && !condition()) wait_for(want, deadline);
    }
    return true;
  }
  bool until_over(std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    return until([this] { return over(); }, limit);
  }
  bool until_held() {
    return until([this] { return session_.held(); });
  }

  bool over() const { return done.has_value() || failed.has_value(); }

  std::string out;
  std::string err;
  std::size_t largest_piece = 0;
  std::size_t turns = 0;
  std::optional<ssh::Done> done;
  std::optional<ssh::Failed> failed;

 private:
  ssh::Want turn() {
    ++turns;
    auto answer = session_.advance(BootClock::now());
    if (auto* end = std::get_if<ssh::Done>(&answer)) done = *end;
    if (auto* end = std::get_if<ssh::Failed>(&answer)) failed = *end;
    const auto* want = std::get_if<ssh::Want>(&answer);
    return want == nullptr ? ssh::Want() : *want;
  }

  void wait_for(const ssh::Want& want, Clock::time_point deadline) {
    if (want.again) deadline = BootClock::now();
    if (want.until) deadline = std::min(deadline, *want.until);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - BootClock::now());
    pollfd waiting{session_.fd(), static_cast<short>((want.read ? POLLIN : 0) | (want.write ? POLLOUT : 0)),
                   0};
    ::poll(&waiting, 1, static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0)));
  }

  ssh::Session session_;
};

}  // namespace slipway::test
