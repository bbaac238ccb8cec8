#include "cli/dry_run.h"

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

std::string pretty(const std::string& body) {
  const Result<Json> json = parse_json(body);
  return json.ok() ? dump_json(*json, 2) : body;
}

/// The token as a shell gets it, from where we would take it (see tpu::find_credentials).
std::string token_expression(const Settings& settings) {
  if (settings.access_token_file.empty() && !env("CLOUDSDK_AUTH_ACCESS_TOKEN").empty())
    return "$CLOUDSDK_AUTH_ACCESS_TOKEN";
  const auto configured = settings.gcloud.property("auth", "access_token_file");
  const std::string file = !settings.access_token_file.empty() ? settings.access_token_file
                           : configured                        ? configured->value
                                                               : "";
  return file.empty() ? "$(gcloud auth print-access-token)" : fmt::format("$(cat {})", shell_quote(file));
}

std::string as_curl(const tpu::Call& call, const Settings& settings) {
  std::string line =
      fmt::format("curl -sS -X {} -H \"Authorization: Bearer {}\"", call.method, token_expression(settings));
  if (!call.body.empty())
    line += fmt::format(" -H 'Content-Type: application/json' --data-raw {}", shell_quote(call.body));
  return fmt::format("{} {}\n", line, shell_quote(settings.endpoint + call.target()));
}

}  // namespace

Result<bool> is_dry_run(const GlobalOptions& options) {
  if (options.dry_run.empty()) return false;
  if (options.dry_run == "request" || options.dry_run == "curl") return true;
  return Error(ErrorCode::kUsage,
               fmt::format("--dry-run: '{}' is neither request nor curl", printable(options.dry_run)));
}

void show_call(const tpu::Call& call, const Settings& settings, const GlobalOptions& options,
               Services& services) {
  if (options.dry_run == "curl") {
    services.streams.out->write(as_curl(call, settings));
    return;
  }
  std::string text = fmt::format("{} {}{}\n", call.method, settings.endpoint, call.target());
  if (!call.body.empty()) text += pretty(call.body) + "\n";
  services.streams.out->write(text);
}

}  // namespace slipway::cli
