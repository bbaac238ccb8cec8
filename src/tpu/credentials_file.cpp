#include "tpu/credentials_file.h"

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "tpu/external_account.h"
#include "tpu/impersonation.h"
#include "tpu/service_account.h"
#include "tpu/token_sources.h"

namespace slipway::tpu {
namespace {

constexpr std::size_t kMaxCredentialsFile = std::size_t{1} << 20;
constexpr const char* kUniverse = "googleapis.com";
constexpr const char* kMetadataHost = "metadata.google.internal";
constexpr const char* kProductName = "/sys/class/dmi/id/product_name";

/// What all readers of one document need.
struct Reading {
  const Json& document;
  const CredentialsOrigin& origin;
  const GcloudConfig& gcloud;
  const TokenClient& client;
};

Error unusable(const CredentialsOrigin& origin, const std::string& why) {
  return Error(ErrorCode::kDenied, fmt::format("the credentials of {} cannot be used", origin.name))
      .why(why)
      .next(origin.next);
}

Result<void> require(const Reading& reading, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (string_member(reading.document, key).empty())
      return unusable(reading.origin, fmt::format("there is no '{}' in it", key));
  }
  return {};
}

Result<ReadCredentials> read_user(const Reading& reading) {
  TRY(require(reading, {"client_id", "client_secret", "refresh_token"}));
  const std::string token_uri = property_or(reading.gcloud, "auth", "token_host", kGoogleTokenUri);
  return ReadCredentials{authorized_user_exchange(reading.document, token_uri, reading.origin.rapt,
                                                  reading.origin.next, reading.client),
                         fmt::format("the user of {}", reading.origin.name), "", true};
}

Result<ReadCredentials> read_service_account(const Reading& reading) {
  TRY(require(reading, {"client_email", "private_key"}));
  std::string who = fmt::format("service account {}", string_member(reading.document, "client_email"));
  if (is_set(reading.gcloud, "auth", "service_account_use_self_signed_jwt"))
    return ReadCredentials{self_signed_exchange(reading.document, reading.client.clock()), std::move(who), "",
                           false};
  const std::string of_file = string_member(reading.document, "token_uri");
  const std::string token_uri =
      property_or(reading.gcloud, "auth", "token_host", of_file.empty() ? kGoogleTokenUri : of_file);
  return ReadCredentials{service_account_exchange(reading.document, token_uri, reading.client),
                         std::move(who), "", false};
}

Result<ReadCredentials> read_external_account(const Reading& reading) {
  Json document = reading.document;
  if (string_member(document, "token_url").empty())
    document["token_url"] = "https://sts.googleapis.com/v1/token";
  TRY(require(reading, {"audience", "subject_token_type"}));
  TRY(OwnedExchange exchange, external_account_exchange(document, reading.client));
  const std::string account =
      impersonated_account(string_member(document, "service_account_impersonation_url"));
  return ReadCredentials{std::move(exchange),
                         account.empty() ? fmt::format("the external account of {}", reading.origin.name)
                                         : fmt::format("service account {}", account),
                         "", false};
}

Result<ReadCredentials> read_external_user(const Reading& reading) {
  TRY(require(reading, {"client_id", "client_secret", "refresh_token", "token_url"}));
  return ReadCredentials{external_user_exchange(reading.document, reading.origin.next, reading.client),
                         fmt::format("the workforce user of {}", reading.origin.name), "", true};
}

Result<ReadCredentials> read_impersonated(const Reading& reading) {
  TRY(require(reading, {"service_account_impersonation_url"}));
  Impersonation impersonation;
  impersonation.url = string_member(reading.document, "service_account_impersonation_url");
  const std::string account = impersonated_account(impersonation.url);
  if (account.empty())
    return unusable(reading.origin, "its service_account_impersonation_url names no service account");
  const Json* inner = find_member(reading.document, "source_credentials");
  if (inner == nullptr) return unusable(reading.origin, "there are no 'source_credentials' in it");
  if (string_member(*inner, "type") == "impersonated_service_account")
    return unusable(reading.origin, "its source is itself impersonated; list the accounts as 'delegates'");
  TRY(ReadCredentials source, read_credentials(*inner, reading.origin, reading.gcloud, reading.client));
  if (const Json* delegates = find_member(reading.document, "delegates"); delegates != nullptr) {
    for (const Json& delegate : *delegates) {
      if (delegate.is_string()) impersonation.delegates.push_back(delegate.get<std::string>());
    }
  }
  auto tokens = std::make_unique<RenewedToken>(std::move(source.exchange), reading.client.clock(),
                                               SourceInfo{source.who, ""});
  return ReadCredentials{impersonated_exchange(std::move(tokens), std::move(impersonation), reading.client),
                         fmt::format("service account {} through {}", account, source.who), "", false};
}

/// gcloud keeps a VM's own account in its store under this name.
Result<ReadCredentials> read_vm_account(const Reading& reading) {
  const std::string host = find_metadata_host();
  if (host.empty()) return unusable(reading.origin, "it is a VM's own account, and this is no Google VM");
  const std::string account = string_member(reading.document, "service_account_email");
  return ReadCredentials{metadata_server_exchange(host, account, reading.client),
                         fmt::format("the VM's service account {}", account), "", false};
}

using Reader = Result<ReadCredentials> (*)(const Reading&);
struct Type {
  std::string_view name;
  Reader read;
};
constexpr Type kTypes[] = {{"authorized_user", read_user},
                           {"service_account", read_service_account},
                           {"external_account", read_external_account},
                           {"external_account_authorized_user", read_external_user},
                           {"impersonated_service_account", read_impersonated},
                           {"gce", read_vm_account}};

Result<void> check_universe(const Reading& reading) {
  const std::string universe = string_member(reading.document, "universe_domain");
  if (universe.empty() || universe == kUniverse) return {};
  return Error(ErrorCode::kUsage,
               fmt::format("the credentials of {} are for '{}'", reading.origin.name, printable(universe)))
      .why("slipway knows the universe googleapis.com only");
}

}  // namespace

Result<ReadCredentials> read_credentials(const Json& document, const CredentialsOrigin& origin,
                                         const GcloudConfig& gcloud, const TokenClient& client) {
  const Reading reading{document, origin, gcloud, client};
  const std::string name = string_member(document, "type");
  TRY(check_universe(reading));
  for (const Type& type : kTypes) {
    if (name != type.name) continue;
    TRY(ReadCredentials read, type.read(reading));
    read.quota_project = string_member(document, "quota_project_id");
    return read;
  }
  return unusable(origin, name.empty()
                              ? std::string("there is no 'type' in it")
                              : fmt::format("credentials of type '{}' are not supported", printable(name)));
}

Result<ReadCredentials> read_credentials_file(const std::string& path, const GcloudConfig& gcloud,
                                              const TokenClient& client) {
  const CredentialsOrigin origin{path, "gcloud auth application-default login", ""};
  const Result<std::string> content = read_file(path, kMaxCredentialsFile);
  if (!content.ok()) return unusable(origin, content.error().message() + ": " + content.error().why());
  const Result<Json> document = parse_json(content.value());
  if (!document.ok() || !document.value().is_object()) return unusable(origin, "it is not a JSON object");
  return read_credentials(document.value(), origin, gcloud, client);
}

std::string find_metadata_host() {
  for (const char* variable : {"GCE_METADATA_HOST", "GCE_METADATA_ROOT"}) {
    if (std::string host = env(variable); !host.empty()) return host;
  }
  if (to_lower(env("NO_GCE_CHECK")) == "true") return "";
  const Result<std::string> product = read_file(kProductName, 4096);
  return product.ok() && product.value().rfind("Google", 0) == 0 ? kMetadataHost : "";
}

std::string property_or(const GcloudConfig& gcloud, std::string_view section, std::string_view name,
                        const std::string& otherwise) {
  const auto property = gcloud.property(section, name);
  return property && !property->value.empty() ? property->value : otherwise;
}

bool is_set(const GcloudConfig& gcloud, std::string_view section, std::string_view name) {
  const std::string value = to_lower(property_or(gcloud, section, name));
  return value == "1" || value == "true" || value == "on" || value == "yes" || value == "y";
}

}  // namespace slipway::tpu
