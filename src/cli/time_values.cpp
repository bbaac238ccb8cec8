#include "cli/time_values.h"

#include <time.h>

#include <charconv>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kDateLength = 10;     // 2026-12-01
constexpr std::size_t kSecondsLength = 19;  // 2026-12-01T08:00:00

Error no_span(const std::string& flag, const std::string& text) {
  return Error(ErrorCode::kUsage, fmt::format("{}: '{}' is no duration", flag, printable(text)))
      .why("write 90s, 30m, 1h30m, 2d, or PT1H30M");
}

/// ISO 8601's P1DT2H30M in our own words: "1d2h30m". Nothing for what it is not, and for months and years,
/// which have no one length.
std::optional<std::string> from_iso(std::string_view text) {
  std::string words;
  bool in_time = false;
  std::string number;
  for (const char c : text.substr(1)) {
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if ((letter >= '0' && letter <= '9') || letter == '.') {
      number += letter;
    } else if (letter == 'T' && !in_time && number.empty()) {
      in_time = true;
    } else {
      const std::string_view taken = in_time ? "HMS" : "DW";
      if (number.empty() || taken.find(letter) == std::string_view::npos) return std::nullopt;
      if (letter == 'W') {
        double weeks = 0;
        std::from_chars(number.data(), number.data() + number.size(), weeks);
        words += fmt::format("{}d", weeks * 7);
      } else {
        words += number + static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      }
      number.clear();
    }
  }
  return number.empty() && !words.empty() ? std::optional(words) : std::nullopt;
}

/// "+01:00": what this machine's zone is at that local time.
std::string local_offset(const std::string& local) {
  std::tm time{};
  time.tm_isdst = -1;
  ::strptime(local.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
  ::mktime(&time);
  const long minutes = time.tm_gmtoff / 60;
  return fmt::format("{}{:02d}:{:02d}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60,
                     std::abs(minutes) % 60);
}

/// Three digits of `fraction` (".5", ".123456", "").
std::string in_milliseconds(std::string_view fraction) {
  std::string digits(fraction.empty() ? fraction : fraction.substr(1));
  digits.resize(3, '0');
  return digits;
}

}  // namespace

Result<std::optional<milliseconds>> parse_span(const std::string& flag, const std::string& text) {
  if (text.empty()) return std::optional<milliseconds>();
  const bool iso = text[0] == 'P' || text[0] == 'p';
  const std::optional<std::string> words = iso ? from_iso(text) : text;
  if (!words) return no_span(flag, text);
  const Result<milliseconds> span = parse_duration(*words);
  if (!span.ok() || span->count() == 0) return no_span(flag, text);
  return std::optional(*span);
}

Result<std::string> parse_time(const std::string& flag, const std::string& text) {
  if (text.empty()) return std::string();
  std::string whole = text.size() == kDateLength ? text + "T00:00:00" : text;
  if (whole.size() > kDateLength && (whole[kDateLength] == ' ' || whole[kDateLength] == 't'))
    whole[kDateLength] = 'T';
  const std::size_t offset_at = whole.find_first_of("Zz+-", std::min(whole.size(), kSecondsLength));
  const bool has_offset = offset_at != std::string::npos;
  const std::string local = whole.substr(0, kSecondsLength);
  const std::string offset = has_offset ? whole.substr(offset_at) : local_offset(local);
  const std::string complete = whole.substr(0, offset_at) + offset;
  if (!parse_rfc3339(complete)) {
    return Error(ErrorCode::kUsage, fmt::format("{}: '{}' is no time", flag, printable(text)))
        .why("write 2026-12-01T08:00:00Z or, with an offset, 2026-12-01T08:00:00+01:00");
  }
  const std::size_t fraction_end = has_offset ? offset_at : whole.size();
  const std::string_view fraction =
      std::string_view(whole).substr(kSecondsLength, fraction_end - kSecondsLength);
  return fmt::format("{}.{}{}", local, in_milliseconds(fraction), offset == "z" ? "Z" : offset);
}

}  // namespace slipway::cli
