#include "cli/api_version.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {

Result<std::optional<tpu::ApiVersion>> api_version(const GlobalOptions& options) {
  if (options.api_version.empty()) return std::optional<tpu::ApiVersion>();
  const auto version = tpu::parse_api_version(options.api_version);
  if (version) return version;
  return Error(ErrorCode::kUsage,
               fmt::format("--api-version: there is no '{}'", printable(options.api_version)))
      .why("there are v2 and v2alpha1");
}

}  // namespace slipway::cli
