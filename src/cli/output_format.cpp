#include "cli/output_format.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {

Result<Format> parse_format(const std::string& text) {
  if (text == "table") return Format::kTable;
  if (text == "json") return Format::kJson;
  if (text == "value") return Format::kValue;
  const std::string near = nearest(text, {"table", "json", "value"});
  return Error(ErrorCode::kUsage, fmt::format("--format: there is no format '{}'", printable(text)))
      .why(near.empty() ? "table, json and value are there" : fmt::format("did you mean '{}'?", near));
}

}  // namespace slipway::cli
