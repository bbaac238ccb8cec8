#pragma once

#include <string>

namespace slipway::test {

/// Holds `text` against tests/golden/<name>. With SLIPWAY_REWRITE_GOLDEN=1 the file is written instead, for
/// `git diff` to review.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace slipway::test
