#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/http/retry.h"
#include "slipway/http/transport.h"

namespace slipway::http {

/// What came of one request after all its tries.
struct Outcome {
  Result<Response> response;
  /// An earlier try, whose answer we did not get or could not use, may have been carried out.
  bool earlier_try_may_have_acted = false;
};

/// How long and how often to try.
struct AttemptLimits {
  std::chrono::milliseconds deadline{60'000};       ///< all tries together
  int max_tries = 0;                                ///< 0: the deadline alone ends it
  std::function<void(const std::string&)> on_wait;  ///< told, now and then, why there is no answer yet
  Backoff::Limits backoff;
  /// Can trying again help? A service may know refusals of its own that stay.
  bool (*is_retryable)(const Result<Response>&) = &http::is_retryable;
};

/// Sends requests until each has an answer that trying again would not change, or until the deadline: the
/// third question, "how long", with the answers to "can it help" (retry.h) and "is it harmless"
/// (Request::idempotent). A request that is not idempotent is only sent again when it never left this
/// machine.
class Attempts {
 public:
  Attempts(Transport& transport, Clock& clock, AttemptLimits limits, RandomUnit random);

  /// In the order of `requests`. Errors: the last cause as kUnavailable; kInterrupted.
  std::vector<Outcome> run(std::vector<Request> requests);

 private:
  void tell(const Request& request, const Outcome& outcome, Clock::time_point began);
  /// When to send `request` again after `answer`; nothing when that cannot help, could harm, or would come
  /// too late.
  std::optional<Clock::time_point> next_try_of(const Request& request, const Answer& answer, int attempt,
                                               Clock::time_point deadline) const;

  Transport& transport_;
  Clock& clock_;
  AttemptLimits limits_;
  Backoff backoff_;
  std::optional<Clock::time_point> told_at_;
};

}  // namespace slipway::http
