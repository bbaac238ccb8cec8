#include "slipway/tpu/credentials.h"

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "tpu/token_sources.h"

namespace slipway::tpu {
namespace {

using Source = Result<std::unique_ptr<TokenSource>>;

template <typename Kind, typename... Arguments>
std::unique_ptr<TokenSource> make_source(Arguments&&... arguments) {
  return std::make_unique<Kind>(std::forward<Arguments>(arguments)...);
}

constexpr std::size_t kMaxCredentialsFile = std::size_t{1} << 20;
constexpr const char* kMetadataHost = "metadata.google.internal";
constexpr const char* kProductName = "/sys/class/dmi/id/product_name";

/// A property that says something: gcloud takes an empty one for set, but an empty credential is none.
std::optional<std::string> nonempty(const GcloudConfig& gcloud, std::string_view section,
                                    std::string_view name) {
  const auto property = gcloud.property(section, name);
  if (!property || property->value.empty()) return std::nullopt;
  return property->value;
}

std::string find_quota_project(const GcloudConfig& gcloud, const std::string& of_file) {
  if (std::string project = env("GOOGLE_CLOUD_QUOTA_PROJECT"); !project.empty()) return project;
  if (!of_file.empty()) return of_file;
  const std::string project = nonempty(gcloud, "billing", "quota_project").value_or("");
  if (project == "CURRENT_PROJECT") return nonempty(gcloud, "core", "project").value_or("");
  // gcloud's words for "as without the property".
  return project == "LEGACY" || project == "CURRENT_PROJECT_WITH_FALLBACK" ? "" : project;
}

Error unusable_file(const std::string& path, const std::string& why) {
  return Error(ErrorCode::kDenied, fmt::format("the credentials file '{}' cannot be used", path))
      .why(why)
      .next("gcloud auth application-default login");
}

Result<void> require(const Json& file, const std::string& path,
                     std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (string_member(file, key).empty()) return unusable_file(path, fmt::format("it has no '{}'", key));
  }
  return {};
}

Result<Json> read_credentials_file(const std::string& path) {
  const Result<std::string> content = read_file(path, kMaxCredentialsFile);
  if (!content.ok()) return unusable_file(path, content.error().message());
  Result<Json> file = parse_json(content.value());
  if (!file.ok()) return unusable_file(path, "it is not JSON");
  return file;
}

Source from_file(const std::string& path, const GcloudConfig& gcloud, http::Transport& transport,
                 Clock& clock) {
  TRY(const Json file, read_credentials_file(path));
  const std::string type = string_member(file, "type");
  const std::optional<std::string> token_host = nonempty(gcloud, "auth", "token_host");
  const std::string quota_project = find_quota_project(gcloud, string_member(file, "quota_project_id"));
  if (type == "authorized_user") {
    TRY(require(file, path, {"client_id", "client_secret", "refresh_token"}));
    return make_source<RenewedToken>(
        authorized_user_exchange(file, token_host.value_or(kGoogleTokenUri), transport, clock), clock,
        fmt::format("the user of {}", path), quota_project);
  }
  if (type == "service_account") {
    TRY(require(file, path, {"client_email", "private_key"}));
    const std::string of_file = string_member(file, "token_uri");
    const std::string token_uri = token_host.value_or(of_file.empty() ? kGoogleTokenUri : of_file);
    return make_source<RenewedToken>(service_account_exchange(file, token_uri, transport, clock), clock,
                                     fmt::format("service account {}", string_member(file, "client_email")),
                                     quota_project);
  }
  return unusable_file(
      path, fmt::format("its type is '{}', not authorized_user or service_account", printable(type)));
}

/// Where Application Default Credentials lie; empty for nowhere. A file that the variable names must be
/// there.
std::string find_default_file(const GcloudConfig& gcloud) {
  if (std::string path = env("GOOGLE_APPLICATION_CREDENTIALS"); !path.empty()) return path;
  const std::string path = gcloud.folder() + "/application_default_credentials.json";
  return !gcloud.folder().empty() && file_exists(path) ? path : "";
}

/// The metadata server's host on a Google VM, or wherever the variables say; empty elsewhere. No packet is
/// sent to find out.
std::string find_metadata_host() {
  for (const char* variable : {"GCE_METADATA_HOST", "GCE_METADATA_ROOT"}) {
    if (std::string host = env(variable); !host.empty()) return host;
  }
  const Result<std::string> product = read_file(kProductName, 4096);
  return product.ok() && product.value().rfind("Google", 0) == 0 ? kMetadataHost : "";
}

Error not_signed_in() {
  return Error(ErrorCode::kDenied, "not signed in to Google Cloud")
      .why(
          "there is no access token, no Application Default Credentials file, and this is no Google VM; "
          "--access-token-file FILE takes a token from a file")
      .next("gcloud auth application-default login");
}

}  // namespace

Result<std::unique_ptr<TokenSource>> find_credentials(const CredentialOptions& options,
                                                      const GcloudConfig& gcloud, http::Transport& transport,
                                                      Clock& clock) {
  const std::string quota_project = find_quota_project(gcloud, "");
  if (!options.access_token_file.empty())
    return make_source<TokenFile>(options.access_token_file, quota_project);
  if (std::string token = env("CLOUDSDK_AUTH_ACCESS_TOKEN"); !token.empty()) {
    return make_source<FixedToken>(Secret(std::move(token)), "CLOUDSDK_AUTH_ACCESS_TOKEN", quota_project);
  }
  if (const auto path = nonempty(gcloud, "auth", "access_token_file"))
    return make_source<TokenFile>(*path, quota_project);
  if (const auto path = nonempty(gcloud, "auth", "credential_file_override"))
    return from_file(*path, gcloud, transport, clock);
  if (const std::string path = find_default_file(gcloud); !path.empty())
    return from_file(path, gcloud, transport, clock);
  if (const std::string host = find_metadata_host(); !host.empty()) {
    return make_source<RenewedToken>(metadata_server_exchange(host, transport, clock), clock,
                                     fmt::format("the metadata server {}", host), quota_project);
  }
  return not_signed_in();
}

}  // namespace slipway::tpu
