#include "emulator/time_limits.h"

#include <cstdlib>

#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

std::optional<Clock::time_point> at(const Json& message, std::string_view key, const Clock& clock) {
  const auto when = parse_rfc3339(string_member(message, key));
  if (!when) return std::nullopt;
  return clock.now() + std::chrono::duration_cast<Clock::duration>(*when - clock.wall_now());
}

std::optional<Clock::time_point> after(const Json& message, std::string_view key, const Clock& clock) {
  const auto length = seconds_of(string_member(message, key));
  return length ? std::optional(clock.now() + *length) : std::nullopt;
}

std::optional<Clock::time_point> first_of(std::optional<Clock::time_point> a,
                                          std::optional<Clock::time_point> b) {
  return a ? a : b;
}

}  // namespace

TimeLimits read_time_limits(const Json& body, const Clock& clock) {
  TimeLimits limits;
  if (const Json* policy = find_member(body, "queueingPolicy")) {
    const Json* given = find_member(*policy, "validInterval");
    const Json interval = given == nullptr ? Json::object() : *given;
    limits.valid_from =
        first_of(after(*policy, "validAfterDuration", clock),
                 first_of(at(*policy, "validAfterTime", clock), at(interval, "startTime", clock)));
    limits.valid_until =
        first_of(after(*policy, "validUntilDuration", clock),
                 first_of(at(*policy, "validUntilTime", clock), at(interval, "endTime", clock)));
  }
  if (const Json* run = find_member(body, "runDuration")) {
    if (const auto length = seconds_of(string_member(*run, "maxRunDuration"))) limits.longest_run = *length;
    limits.run_until = at(*run, "terminationTime", clock);
  }
  return limits;
}

std::optional<std::chrono::milliseconds> seconds_of(const std::string& text) {
  if (text.size() < 2 || text.back() != 's') return std::nullopt;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (end != text.data() + text.size() - 1 || seconds < 0 || seconds > 3.2e11) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1'000));
}

}  // namespace slipway::emulator
