#include "slipway/http/retry.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "slipway/core/text.h"

namespace slipway::http {
namespace {

/// No server asks for more in earnest, and the call's deadline ends the wait long before.
constexpr std::chrono::seconds kLongestRetryAfter{24 * 3600};

std::optional<std::chrono::seconds> whole_seconds(const std::string& text) {
  long number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::chrono::seconds(number);
}

}  // namespace

bool is_retryable(const Result<Response>& answer) {
  if (!answer.ok()) return answer.error().code() == ErrorCode::kUnavailable;
  const int status = answer.value().status;
  return status == 408 || status == 429 || status >= 500;
}

Clock::duration Backoff::delay(int attempt, std::optional<std::chrono::seconds> retry_after) const {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const double doubled =
      static_cast<double>(limits_.initial.count()) * std::exp2(std::clamp(attempt, 1, 40) - 1);
  const double ceiling = std::min(doubled, static_cast<double>(limits_.maximum.count()));
  const auto jittered = std::chrono::duration_cast<Clock::duration>(Milliseconds(random_() * ceiling));
  if (!retry_after) return jittered;
  return std::chrono::duration_cast<Clock::duration>(*retry_after) + jittered;
}

std::optional<std::chrono::seconds> parse_retry_after(const std::string& text,
                                                      std::chrono::system_clock::time_point now) {
  using std::chrono::seconds;
  const std::string trimmed(trim(text));
  std::optional<seconds> wait = whole_seconds(trimmed);
  if (!wait) {
    const auto date = parse_http_date(trimmed);
    if (!date) return std::nullopt;
    wait = std::chrono::ceil<seconds>(*date - now);
  }
  if (*wait < seconds(0) || *wait > kLongestRetryAfter) return std::nullopt;
  return wait;
}

std::optional<std::chrono::system_clock::time_point> parse_http_date(const std::string& text) {
  tm parts{};
  const char* end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&parts));
}

}  // namespace slipway::http
