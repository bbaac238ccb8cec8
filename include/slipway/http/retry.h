#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "slipway/core/clock.h"
#include "slipway/core/random.h"
#include "slipway/http/transport.h"

namespace slipway::http {

/// Three questions, asked apart. This: can trying again help at all? 408, 429, 5xx and connection errors.
bool is_retryable(const Result<Response>& answer);

/// How long to wait before try `attempt` (1 is the first repetition): full jitter over an exponential
/// ceiling, but never shorter than the server's Retry-After (seconds or an HTTP date; what is neither is
/// ignored).
class Backoff {
 public:
  struct Limits {
    std::chrono::milliseconds initial{500};
    std::chrono::milliseconds maximum{30'000};
  };
  Backoff(Limits limits, RandomUnit random) : limits_(limits), random_(std::move(random)) {}
  Clock::duration delay(int attempt, std::optional<std::chrono::seconds> retry_after) const;

 private:
  Limits limits_;
  RandomUnit random_;
};

/// Reads a Retry-After header. Negative, absurd and unreadable values are nothing.
std::optional<std::chrono::seconds> parse_retry_after(const std::string& text,
                                                      std::chrono::system_clock::time_point now);

/// The date of an HTTP header, in the one form that servers may send (RFC 9110 section 5.6.7).
std::optional<std::chrono::system_clock::time_point> parse_http_date(const std::string& text);

}  // namespace slipway::http
