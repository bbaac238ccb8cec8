#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway::report {

/// What a text is held against.
using TextPattern = std::function<bool(std::string_view)>;

/// The operator ":", blind to case: contains `text`; with one *, begins with, ends with, or both; * alone:
/// not empty. Errors: a second *.
Result<TextPattern> containing(std::string_view text);
/// The operator "=": the same, but for case.
TextPattern equal_to(std::string_view text);
/// The operator "~": an ECMAScript regular expression that matches anywhere, in time linear in the text;
/// (?i) at its beginning makes it blind to case. Errors: what cannot be one.
Result<TextPattern> matching(std::string_view expression);

}  // namespace slipway::report
