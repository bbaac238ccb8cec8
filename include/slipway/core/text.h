#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/result.h"

namespace slipway {

/// `text` as one word of a POSIX shell: plain when it is only safe letters, else in single quotes.
std::string shell_quote(std::string_view text);
/// The words quoted and joined with blanks: `sh -c` of it has exactly these arguments.
std::string shell_join(const std::vector<std::string>& words);

/// "90", "90s", "1h30m", "500ms", "2d". A bare number counts seconds. Errors: kUsage, with the text and a
/// right example.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);
/// "850ms", "12.3s", "4m07s", "2h05m", for people.
std::string format_duration(std::chrono::nanoseconds duration);
/// How long ago, at a glance: "45s", "12m", "3h20m", "4d6h", "120d". Nothing below zero.
std::string format_age(std::chrono::nanoseconds age);
/// RFC 3339 in UTC with milliseconds: 2026-11-20T08:15:30.250Z.
std::string format_rfc3339(std::chrono::system_clock::time_point when);
/// RFC 3339 with any offset and fraction.
std::optional<std::chrono::system_clock::time_point> parse_rfc3339(std::string_view text);

/// "1 slice", "4 slices".
std::string counted(std::size_t count, std::string_view noun);

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);

std::string base64_encode(std::string_view bytes);
/// JWTs and digests in file names: RFC 4648 section 5, no padding.
std::string base64url_encode(std::string_view bytes);
std::optional<std::string> base64_decode(std::string_view text);

/// What `text` shows in a terminal, with nothing in it that could command one: control bytes (but tab), C1,
/// DEL, bidirectional overrides and bytes that are not UTF-8 become visible marks. `text` is one line,
/// without its newline.
std::string printable(std::string_view text);
/// Whether all of it is UTF-8 (RFC 3629: no overlong forms, no surrogates).
bool is_utf8(std::string_view text);
/// The number of columns that a terminal gives to `text`: two for East Asian wide characters and emoji, none
/// for combining marks.
std::size_t display_width(std::string_view text);
/// `text`, or as much of its beginning as fits into `columns` together with "...".
std::string shortened(std::string_view text, std::size_t columns);

/// The nearest of `candidates` within two edits (transpositions count one), for "did you mean"; empty if none
/// is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace slipway
