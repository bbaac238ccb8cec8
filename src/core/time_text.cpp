#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

std::optional<double> unit_in_milliseconds(std::string_view unit) {
  if (unit == "ms") return 1;
  if (unit == "s" || unit.empty()) return 1'000;
  if (unit == "m") return 60'000;
  if (unit == "h") return 3'600'000;
  if (unit == "d") return 86'400'000;
  return std::nullopt;
}

Error bad_duration(std::string_view text) {
  return Error(ErrorCode::kUsage, fmt::format("'{}' is no duration", text))
      .why("write 90s, 30m, 2h, 1h30m or 2d");
}

/// `count` digits of `text` from `at`; nothing when they are not all digits.
std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return std::nullopt;
  int number = 0;
  const char* begin = text.data() + at;
  const auto [end, failure] = std::from_chars(begin, begin + count, number);
  if (failure != std::errc() || end != begin + count || *begin == '-') return std::nullopt;
  return number;
}

/// "Z", "+02:00" or "-0530" as minutes east of UTC.
std::optional<int> offset_minutes(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() < 5 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const std::size_t minutes_at = text[3] == ':' ? 4 : 3;
  const auto hours = digits(text, 1, 2);
  const auto minutes = digits(text, minutes_at, 2);
  if (!hours || !minutes || text.size() != minutes_at + 2) return std::nullopt;
  return (text[0] == '-' ? -1 : 1) * (*hours * 60 + *minutes);
}

}  // namespace

Result<milliseconds> parse_duration(std::string_view text) {
  if (text.empty()) return bad_duration(text);
  double total = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    double number = 0;
    const auto [end, failure] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (failure != std::errc() || !(number >= 0) || rest[0] == '-') return bad_duration(text);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const std::string_view unit = rest.substr(0, rest.find_first_of("0123456789."));
    const auto scale = unit_in_milliseconds(unit);
    if (!scale || (unit.empty() && (total > 0 || !rest.empty()))) return bad_duration(text);
    total += number * *scale;
    rest.remove_prefix(unit.size());
  }
  constexpr double kTenYears = 10.0 * 366 * 86'400'000;
  if (!(total <= kTenYears)) return bad_duration(text);
  return milliseconds(std::llround(total));
}

std::string format_duration(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  if (seconds < 1) return fmt::format("{:.0f}ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.1f}s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{}m{:02d}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02d}m", whole / 3600, whole % 3600 / 60);
}

std::string format_age(std::chrono::nanoseconds age) {
  constexpr long kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  const long seconds =
      std::max(0L, static_cast<long>(std::chrono::duration_cast<std::chrono::seconds>(age).count()));
  const auto two = [](long first, char unit, long second, char smaller) {
    return second == 0 ? fmt::format("{}{}", first, unit)
                       : fmt::format("{}{}{}{}", first, unit, second, smaller);
  };
  if (seconds < kMinute) return fmt::format("{}s", seconds);
  if (seconds < kHour) return fmt::format("{}m", seconds / kMinute);
  if (seconds < 2 * kDay) return two(seconds / kHour, 'h', seconds % kHour / kMinute, 'm');
  if (seconds < 30 * kDay) return two(seconds / kDay, 'd', seconds % kDay / kHour, 'h');
  return fmt::format("{}d", seconds / kDay);
}

std::string format_rfc3339(system_clock::time_point when) {
  using namespace std::chrono;
  const auto day = floor<days>(when);
  const year_month_day date(day);
  const hh_mm_ss time(floor<milliseconds>(when - day));
  return fmt::format("{:04d}-{:02d}-{:02d}T{:02d}:{:02d}:{:02d}.{:03d}Z", int(date.year()),
                     unsigned(date.month()), unsigned(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count(), time.subseconds().count());
}

std::optional<system_clock::time_point> parse_rfc3339(std::string_view text) {
  using namespace std::chrono;
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  if (text[10] != 'T' && text[10] != 't' && text[10] != ' ') return std::nullopt;
  const auto y = digits(text, 0, 4), mo = digits(text, 5, 2), d = digits(text, 8, 2);
  const auto h = digits(text, 11, 2), mi = digits(text, 14, 2), s = digits(text, 17, 2);
  if (!y || !mo || !d || !h || !mi || !s || *h > 23 || *mi > 59 || *s > 60) return std::nullopt;
  const year_month_day date{year(*y), month(static_cast<unsigned>(*mo)), day(static_cast<unsigned>(*d))};
  if (!date.ok()) return std::nullopt;

  std::string_view rest = text.substr(19);
  nanoseconds fraction{0};
  if (!rest.empty() && rest[0] == '.') {
    const std::size_t length = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    if (length < 2) return std::nullopt;
    for (std::size_t i = 1, scale = 100'000'000; i < length && scale > 0; ++i, scale /= 10) {
      fraction += nanoseconds((rest[i] - '0') * static_cast<long>(scale));
    }
    rest.remove_prefix(length);
  }
  const auto offset = offset_minutes(rest);
  if (!offset) return std::nullopt;
  const auto when = sys_days(date) + hours(*h) + minutes(*mi - *offset) + seconds(*s) + fraction;
  return time_point_cast<system_clock::duration>(when);
}

}  // namespace slipway
