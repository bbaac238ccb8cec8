#include "report/filter_time.h"

#include <charconv>
#include <string>

#include "slipway/core/text.h"

namespace slipway::report {
namespace {

using std::chrono::system_clock;

/// Seconds of one unit: date units stand before the T, time units behind it (ISO 8601; a month is 30 days).
std::optional<double> unit_seconds(char unit, bool behind_t) {
  constexpr double kDay = 86'400;
  switch (unit) {
    case 'S':
      return behind_t ? std::optional<double>(1) : std::nullopt;
    case 'H':
      return behind_t ? std::optional<double>(3'600) : std::nullopt;
    case 'M':
      return behind_t ? 60 : 30 * kDay;
    case 'D':
      return behind_t ? std::nullopt : std::optional<double>(kDay);
    case 'W':
      return behind_t ? std::nullopt : std::optional<double>(7 * kDay);
    case 'Y':
      return behind_t ? std::nullopt : std::optional<double>(365 * kDay);
    default:
      return std::nullopt;
  }
}

/// The seconds of P1DT2H.
std::optional<double> iso_duration(std::string_view text) {
  if (text.size() < 2 || text.front() != 'P') return std::nullopt;
  text.remove_prefix(1);
  double total = 0;
  bool behind_t = false;
  while (!text.empty()) {
    if (text.front() == 'T' && !behind_t) {
      behind_t = true;
      text.remove_prefix(1);
      if (text.empty()) return std::nullopt;
      continue;
    }
    double number = 0;
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (failure != std::errc() || number < 0 || number > 1e6) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto seconds = text.empty() ? std::nullopt : unit_seconds(text.front(), behind_t);
    if (!seconds) return std::nullopt;
    total += number * *seconds;
    text.remove_prefix(1);
  }
  constexpr double kHundredYears = 100 * 365.25 * 86'400;
  return total <= kHundredYears ? std::optional<double>(total) : std::nullopt;
}

}  // namespace

std::optional<system_clock::time_point> parse_filter_time(std::string_view text,
                                                          system_clock::time_point now) {
  const bool back = !text.empty() && text.front() == '-';
  const std::string_view duration = back ? text.substr(1) : text;
  if (const auto seconds = iso_duration(duration)) {
    return now + std::chrono::duration_cast<system_clock::duration>(
                     std::chrono::duration<double>(back ? -*seconds : *seconds));
  }
  constexpr std::size_t kDayLength = 10;
  constexpr std::size_t kMinuteLength = 16;
  constexpr std::size_t kSecondLength = 19;
  const std::string whole(text);
  if (const auto time = parse_rfc3339(whole)) return time;
  if (text.size() == kDayLength) return parse_rfc3339(whole + "T00:00:00Z");
  if (text.size() == kMinuteLength) return parse_rfc3339(whole + ":00Z");
  return text.size() >= kSecondLength ? parse_rfc3339(whole + "Z") : std::nullopt;
}

}  // namespace slipway::report
