#pragma once

// The only place that names fmt: every room formats through this header, as fmt::format and fmt::join.
#include <fmt/core.h>
#include <fmt/ranges.h>
