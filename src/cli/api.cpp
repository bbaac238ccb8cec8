#include "cli/api.h"

#include "cli/version.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"

namespace slipway::cli {

Api::Api(const Settings& settings, Services& services)
    : transport_(&services.interrupt, user_agent()),
      journal_(state_directory().empty() ? "" : state_directory() + "/requests", services.clock),
      endpoint_(settings.endpoint) {}

Result<std::unique_ptr<Api>> Api::open(const Settings& settings, Services& services) {
  std::unique_ptr<Api> api(new Api(settings, services));
  tpu::CredentialOptions credentials;
  credentials.access_token_file = settings.access_token_file;
  TRY(api->tokens_, tpu::find_credentials(credentials, settings.gcloud, api->transport_, services.clock));
  tpu::ClientOptions options;
  options.endpoint = settings.endpoint;
  options.allow_host = settings.endpoint_was_named;
  options.on_wait = [&services](const std::string& sentence) { services.say(sentence); };
  api->client_ =
      std::make_unique<tpu::Client>(api->transport_, services.clock, *api->tokens_, std::move(options));
  return api;
}

}  // namespace slipway::cli
