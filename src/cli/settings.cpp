#include "cli/settings.h"

#include "slipway/core/format.h"

namespace slipway::cli {
namespace {

constexpr const char* kDefaultEndpoint = "https://tpu.googleapis.com";

std::string first_of(const std::string& given, const tpu::GcloudConfig& gcloud, std::string_view section,
                     std::string_view name) {
  if (!given.empty()) return given;
  const auto property = gcloud.property(section, name);
  return property ? property->value : "";
}

std::string without_trailing_slash(std::string url) {
  while (!url.empty() && url.back() == '/') url.pop_back();
  return url;
}

Result<void> require_location(const Location& location) {
  std::string missing;
  std::string next;
  if (location.project.empty()) {
    missing = "the project";
    next = "slipway ... --project PROJECT   (or: gcloud config set project PROJECT)";
  }
  if (location.zone.empty()) {
    missing += missing.empty() ? "the zone" : " and the zone";
    next += next.empty() ? "" : "\n";
    next += "slipway ... --zone ZONE   (or: gcloud config set compute/zone ZONE)";
  }
  if (missing.empty()) return {};
  return Error(ErrorCode::kUsage, fmt::format("{} must be known", missing))
      .why("neither a flag, nor SLIPWAY_PROJECT and SLIPWAY_ZONE, nor gcloud's configuration says it")
      .next(next);
}

}  // namespace

Result<Settings> resolve_settings(const GlobalOptions& options, Needs needs) {
  Settings settings;
  settings.gcloud = tpu::GcloudConfig::load();
  settings.location.project = first_of(options.project, settings.gcloud, "core", "project");
  settings.location.zone = first_of(options.zone, settings.gcloud, "compute", "zone");
  settings.endpoint = first_of(options.endpoint, settings.gcloud, "api_endpoint_overrides", "tpu");
  if (settings.endpoint.empty()) settings.endpoint = kDefaultEndpoint;
  settings.endpoint = without_trailing_slash(settings.endpoint);
  settings.endpoint_was_named = !options.endpoint.empty();
  settings.access_token_file = options.access_token_file;
  if (needs == Needs::kNothing) return settings;

  TRY(require_location(settings.location));
  TRY(check_resource_id("--project", settings.location.project));
  const bool all_zones = settings.location.zone == "-" && needs == Needs::kLocationOrAllZones;
  if (!all_zones) TRY(check_resource_id("--zone", settings.location.zone));
  return settings;
}

Result<ResourceSettings> resolve_settings_for(const GlobalOptions& options, const std::string& name) {
  if (name.empty()) {
    return Error(ErrorCode::kUsage, "say which queued resource").next("slipway list");
  }
  const bool full = name.find('/') != std::string::npos;
  TRY(Settings settings, resolve_settings(options, full ? Needs::kNothing : Needs::kLocation));
  TRY(QueuedResourceName parsed, parse_queued_resource_name(name, settings.location));
  settings.location = parsed.location;
  return ResourceSettings{std::move(settings), std::move(parsed)};
}

}  // namespace slipway::cli
