#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/wait.h"
#include "tpu/api_error.h"

namespace slipway::tpu {
namespace {

constexpr std::chrono::minutes kBorneOutage{15};

/// `interruption` with what goes on, and how to come back.
Error interrupted(Error interruption, const Operation& operation) {
  return std::move(interruption)
      .why("only the waiting has ended: the operation goes on without us")
      .next(fmt::format("slipway describe {}", shell_quote(last_segment(operation.target))));
}

/// What a finished operation comes to.
Result<Operation> settled(Operation operation) {
  if (!operation.error) return operation;
  const std::string verb = operation.verb.empty() ? "the operation" : operation.verb;
  return Error(code_of(*operation.error),
               fmt::format("{} of '{}' failed", verb, last_segment(operation.target)))
      .why(describe(*operation.error));
}

Error operation_timed_out(const Operation& operation) {
  return Error(ErrorCode::kTimeout,
               fmt::format("the operation '{}' is not done yet", last_segment(operation.name)))
      .why("it goes on without us")
      .next(fmt::format("slipway describe {}", shell_quote(last_segment(operation.target))));
}

}  // namespace

Result<Operation> wait_for_operation(Client& client, Operation operation,
                                     std::optional<std::chrono::milliseconds> timeout, const PollPolicy& poll,
                                     const RandomUnit& random) {
  Clock& clock = client.clock();
  const Clock::time_point began = clock.now();
  Clock::time_point answered = began;
  for (int polls = 0; !operation.done && !operation.name.empty(); ++polls) {
    const bool over = timeout && clock.now() - began >= *timeout;
    if (over && polls > 0) return operation_timed_out(operation);
    Clock::time_point next = clock.now() + poll.delay(polls, random);
    if (timeout) next = std::min(next, began + *timeout);
    if (!clock.sleep_until(next))
      return interrupted(
          Error(ErrorCode::kInterrupted, fmt::format("interrupted while waiting for the operation '{}'",
                                                     last_segment(operation.name))),
          operation);
    Result<Operation> seen = client.get_operation(operation.name);
    if (!seen.ok() && seen.error().code() == ErrorCode::kNotFound) return operation;
    if (!seen.ok() && seen.error().code() == ErrorCode::kInterrupted)
      return interrupted(std::move(seen).error(), operation);
    // The API's silence changes nothing of what it was told: it is borne, as in wait.cpp.
    const bool silent = !seen.ok() && seen.error().code() == ErrorCode::kUnavailable;
    if (silent && clock.now() - answered < kBorneOutage) continue;
    answered = clock.now();
    TRY(Operation now, std::move(seen));
    if (now.target.empty()) now.target = operation.target;
    if (now.verb.empty()) now.verb = operation.verb;
    operation = std::move(now);
  }
  return settled(std::move(operation));
}

}  // namespace slipway::tpu
