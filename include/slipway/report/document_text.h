#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/json.h"

namespace slipway::report {

/// One YAML document, every string of it quoted so that any reader of YAML 1.1 or 1.2 gets it back as it was;
/// long texts as blocks. Ends in a newline.
std::string to_yaml(const Json& document);

/// A record of RFC 4180, but ended by a line feed alone, as the tools of Unix want it.
std::string csv_record(const std::vector<std::string>& cells);

/// A value in one cell: nothing for null, True and False as gcloud writes them, a list's items joined by ';',
/// k=v for an object; what is nested deeper as JSON.
std::string cell_text(const Json& value);

}  // namespace slipway::report
