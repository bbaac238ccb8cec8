#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/model/resource_name.h"
#include "slipway/tpu/credentials.h"
#include "slipway/tpu/gcloud_config.h"

namespace slipway::cli {

/// What every command takes, as typed (or from SLIPWAY_<FLAG>); empty for not said.
struct GlobalOptions {
  std::string project;
  std::string zone;
  std::string endpoint;
  std::string access_token_file;
  std::string impersonate_service_account;  ///< EMAIL, or delegates before it with commas
  std::string account;                      ///< which of gcloud's logins
  std::string billing_project;              ///< X-Goog-User-Project
  std::vector<std::string> allow_hosts;     ///< may be sent a token, beside googleapis.com and loopback
  std::string ca_file;                      ///< PEM bundle to trust instead of the system's
  std::string api_version;                  ///< "", "v2" or "v2alpha1"
  std::string config;  ///< the one settings file to read; empty for the project's and the user's
  std::string format = "table";
  std::string fields;  ///< "a.b,c"; empty for all
  std::string color = "auto";
  std::string dry_run;  ///< "", "request" or "curl"
  std::string log_format = "text";
  std::string log_file;
  int verbosity = 0;
  bool quiet = false;
  bool yes = false;
};

inline constexpr const char* kDefaultEndpoint = "https://tpu.googleapis.com";

/// The options, completed from gcloud's own configuration and the defaults.
struct Settings {
  Location location;
  std::string endpoint;
  bool endpoint_was_named = false;  ///< by --endpoint: the user allows a token to go there
  tpu::CredentialOptions credentials;
  std::string ca_file;
  tpu::GcloudConfig gcloud;
};

/// The property of gcloud that stands below `flag`: core/project below --project. Nothing when there is none,
/// or when it is not set.
std::optional<tpu::GcloudProperty> gcloud_property_for(std::string_view flag,
                                                       const tpu::GcloudConfig& gcloud);

enum class Needs { kLocation, kLocationOrAllZones, kProject, kNothing };

/// Errors (kUsage): all that is missing at once, with what to type for each. `name` may carry project and
/// zone itself.
Result<Settings> resolve_settings(const GlobalOptions& options, Needs needs);

/// Settings for commands on one resource: a full name needs neither project nor zone from elsewhere.
struct ResourceSettings {
  Settings settings;
  QueuedResourceName name;
};
Result<ResourceSettings> resolve_settings_for(const GlobalOptions& options, const std::string& name);
/// The same for several names: each resource once, in their order.
Result<std::vector<ResourceSettings>> resolve_settings_for_each(const GlobalOptions& options,
                                                                const std::vector<std::string>& names);

}  // namespace slipway::cli
