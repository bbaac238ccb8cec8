#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::report {

/// One line of a difference: "- " what only the first text has, "+ " what only the second has, "@@ line 12
/// @@" before lines that do not follow the ones above (the number counts in the first text).
using DiffLines = std::vector<std::string>;

/// What turns `before` into `after`, line by line. Nothing when that would not be shorter to read than
/// `after` itself.
std::optional<DiffLines> line_diff(std::string_view before, std::string_view after);

}  // namespace slipway::report
