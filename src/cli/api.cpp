#include "cli/api.h"

#include <algorithm>

#include "cli/curl_settings.h"
#include "cli/version.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/http/url.h"

namespace slipway::cli {

namespace {

/// The hosts that the user named, one way or the other.
std::vector<std::string> allowed_hosts(const Settings& settings) {
  std::vector<std::string> hosts = settings.credentials.allowed_hosts;
  const Result<http::Origin> endpoint = http::parse_origin(settings.endpoint);
  if (settings.endpoint_was_named && endpoint.ok()) hosts.push_back(endpoint.value().host);
  return hosts;
}

bool is_allowed(const std::string& endpoint, const std::vector<std::string>& hosts) {
  const Result<http::Origin> origin = http::parse_origin(endpoint);
  return origin.ok() && std::find(hosts.begin(), hosts.end(), origin.value().host) != hosts.end();
}

/// Where another API of Google's is, by gcloud's property; empty where it is not to be asked.
std::string endpoint_of(const Settings& settings, const std::string& property, const std::string& googles) {
  if (const auto named = settings.gcloud.property("api_endpoint_overrides", property)) return named->value;
  const Result<http::Origin> tpu = http::parse_origin(settings.endpoint);
  return tpu.ok() && http::is_within_domain(tpu.value().host, "googleapis.com") ? googles : "";
}

/// Whom the tokens stand for: the service account that is impersonated, else gcloud's account.
std::string account_of(const Settings& settings) {
  const auto property = [&](const char* section, const char* name) {
    const auto found = settings.gcloud.property(section, name);
    return found ? found->value : std::string();
  };
  std::string chain = settings.credentials.impersonate_service_account;
  if (chain.empty()) chain = property("auth", "impersonate_service_account");
  if (!chain.empty()) return chain.substr(chain.rfind(',') + 1);
  return settings.credentials.account.empty() ? property("core", "account") : settings.credentials.account;
}

}  // namespace

Api::Api(const Settings& settings, Services& services, http::CurlOptions options)
    : services_(services),
      transport_(&services.interrupt, user_agent(), std::move(options)),
      journal_(state_directory().empty() ? "" : state_directory() + "/requests", services.clock),
      endpoint_(settings.endpoint) {}

Result<std::unique_ptr<Api>> Api::open(const Settings& settings, Services& services) {
  TRY(http::CurlOptions curl, curl_options(settings));
  curl.on_interrupt_grace = [&services] {
    services.say(
        "stopping: the answer to a request that changes something is awaited, at most 5 s; Ctrl-C again "
        "leaves now");
  };
  std::unique_ptr<Api> api(new Api(settings, services, std::move(curl)));
  tpu::CredentialOptions credentials = settings.credentials;
  credentials.allowed_hosts = allowed_hosts(settings);
  TRY(api->tokens_, tpu::find_credentials(credentials, settings.gcloud, api->transport_, services.clock));
  api->allowed_hosts_ = credentials.allowed_hosts;
  const auto client_of = [&](const std::string& endpoint) {
    tpu::ClientOptions options;
    options.endpoint = endpoint;
    options.allow_host = is_allowed(endpoint, credentials.allowed_hosts);
    if (const auto reason = settings.gcloud.property("core", "request_reason"))
      options.request_reason = reason->value;
    options.on_wait = [&services](const std::string& sentence) { services.say(sentence); };
    return endpoint.empty() ? nullptr
                            : std::make_unique<tpu::Client>(api->transport_, services.clock, *api->tokens_,
                                                            std::move(options));
  };
  api->client_ = client_of(settings.endpoint);
  api->compute_ = client_of(endpoint_of(settings, "compute", "https://compute.googleapis.com/compute/v1"));
  api->os_login_ = client_of(endpoint_of(settings, "oslogin", "https://oslogin.googleapis.com"));
  api->account_ = account_of(settings);
  return api;
}

storage::Bucket Api::bucket(const std::string& name) {
  storage::BucketOptions options;
  options.allowed_hosts = allowed_hosts_;
  options.on_wait = [this](const std::string& sentence) { services_.say(sentence); };
  storage::Tokens tokens{[this] { return tokens_->token(); }, [this] { return tokens_->refresh(); },
                         tokens_->quota_project()};
  return {transport_, services_.clock, std::move(tokens), name, std::move(options)};
}

}  // namespace slipway::cli
