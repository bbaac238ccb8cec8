#include "cli/settings.h"

#include <algorithm>

#include "slipway/core/format.h"

namespace slipway::cli {
namespace {

struct Counterpart {
  std::string_view flag;
  std::string_view section;
  std::string_view name;
};
constexpr Counterpart kCounterparts[] = {
    {"project", "core", "project"},
    {"zone", "compute", "zone"},
    {"endpoint", "api_endpoint_overrides", "tpu"},
    {"access-token-file", "auth", "access_token_file"},
    {"impersonate-service-account", "auth", "impersonate_service_account"},
    {"account", "core", "account"},
    {"billing-project", "billing", "quota_project"},
    {"ca-file", "core", "custom_ca_certs_file"},
};

std::string first_of(const std::string& given, std::string_view flag, const tpu::GcloudConfig& gcloud) {
  if (!given.empty()) return given;
  const auto property = gcloud_property_for(flag, gcloud);
  return property ? property->value : "";
}

std::string without_trailing_slash(std::string url) {
  while (!url.empty() && url.back() == '/') url.pop_back();
  return url;
}

/// What gcloud's configuration says of these is for tpu::find_credentials to weigh.
tpu::CredentialOptions credential_options(const GlobalOptions& options, const std::string& project) {
  return {.access_token_file = options.access_token_file,
          .impersonate_service_account = options.impersonate_service_account,
          .account = options.account,
          .project = project,
          .billing_project = options.billing_project,
          .allowed_hosts = options.allow_hosts};
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

std::optional<tpu::GcloudProperty> gcloud_property_for(std::string_view flag,
                                                       const tpu::GcloudConfig& gcloud) {
  for (const Counterpart& counterpart : kCounterparts) {
    if (counterpart.flag == flag) return gcloud.property(counterpart.section, counterpart.name);
  }
  return std::nullopt;
}

Result<Settings> resolve_settings(const GlobalOptions& options, Needs needs) {
  Settings settings;
  settings.gcloud = tpu::GcloudConfig::load();
  settings.location.project = first_of(options.project, "project", settings.gcloud);
  settings.location.zone = first_of(options.zone, "zone", settings.gcloud);
  settings.endpoint = first_of(options.endpoint, "endpoint", settings.gcloud);
  if (settings.endpoint.empty()) settings.endpoint = kDefaultEndpoint;
  settings.endpoint = without_trailing_slash(settings.endpoint);
  settings.endpoint_was_named = !options.endpoint.empty();
  settings.credentials = credential_options(options, settings.location.project);
  settings.ca_file = first_of(options.ca_file, "ca-file", settings.gcloud);
  if (needs == Needs::kNothing) return settings;

  TRY(require_location({settings.location.project, needs == Needs::kProject ? "-" : settings.location.zone}));
  TRY(check_resource_id("--project", settings.location.project));
  if (needs == Needs::kProject) return settings;
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

Result<std::vector<ResourceSettings>> resolve_settings_for_each(const GlobalOptions& options,
                                                                const std::vector<std::string>& names) {
  std::vector<ResourceSettings> all;
  for (const std::string& name : names.empty() ? std::vector<std::string>{""} : names) {
    TRY(ResourceSettings settings, resolve_settings_for(options, name));
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const ResourceSettings& one) { return one.name == settings.name; });
    if (!known) all.push_back(std::move(settings));
  }
  return all;
}

}  // namespace slipway::cli
