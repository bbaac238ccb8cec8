#include "tpu/token_exchange.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"
#include "tpu/attempts.h"
#include "tpu/jwt.h"

namespace slipway::tpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kAssertionLifetime{3600};
constexpr seconds kLifetimeUnknown{3600};

/// What google-auth does: three tries in all, the pauses about one and two seconds.
AttemptLimits token_limits() {
  AttemptLimits limits;
  limits.deadline = milliseconds(30'000);
  limits.max_tries = 3;
  limits.backoff = {milliseconds(1'000), milliseconds(4'000)};
  return limits;
}

Error sign_in_again(const std::string& endpoint, const std::string& why) {
  return Error(ErrorCode::kDenied, fmt::format("no access token from {}", endpoint))
      .why(printable(why))
      .next("gcloud auth application-default login");
}

/// RFC 6749 section 5.2; Google's metadata server answers with plain text.
std::string refusal(const http::Response& response) {
  const Result<Json> document = parse_json(response.body);
  if (!document.ok())
    return fmt::format("status {}: {}", response.status, trim(std::string_view(response.body).substr(0, 80)));
  return fmt::format("status {}: {}: {}", response.status, string_member(document.value(), "error"),
                     string_member(document.value(), "error_description"));
}

Result<FetchedToken> read_token(const http::Response& response, const std::string& endpoint) {
  if (response.status >= 500) {
    return Error(ErrorCode::kUnavailable, fmt::format("no access token from {}", endpoint))
        .why(printable(refusal(response)));
  }
  if (response.status != 200) return sign_in_again(endpoint, refusal(response));
  const Result<Json> document = parse_json(response.body);
  FetchedToken fetched;
  if (document.ok()) fetched.token = Secret(string_member(document.value(), "access_token"));
  if (fetched.token.empty()) {
    return Error(ErrorCode::kFailed, fmt::format("no access token from {}", endpoint))
        .why("its answer holds none");
  }
  fetched.lifetime = seconds(int_member(document.value(), "expires_in").value_or(kLifetimeUnknown.count()));
  return fetched;
}

Result<FetchedToken> exchange(http::Request request, http::Transport& transport, Clock& clock) {
  const std::string endpoint = request.url.substr(0, request.url.find('?'));
  Attempts attempts(transport, clock, token_limits(), system_random_unit());
  Outcome outcome = std::move(attempts.run({std::move(request)}).front());
  if (!outcome.response.ok()) return std::move(outcome.response).error().within("access token");
  return read_token(*outcome.response, endpoint);
}

http::Request form_request(const std::string& url,
                           const std::vector<std::pair<std::string, std::string>>& fields) {
  http::Request request;
  request.method = "POST";
  request.url = url;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = http::encode_form(fields);
  request.idempotent = true;
  return request;
}

Json assertion_claims(const std::string& account, const Clock& clock) {
  const auto now = std::chrono::duration_cast<seconds>(clock.wall_now().time_since_epoch()).count();
  return {{"iss", account},
          {"aud", kGoogleTokenUri},
          {"iat", now},
          {"exp", now + kAssertionLifetime.count()},
          {"scope", kCloudPlatformScope}};
}

}  // namespace

FetchToken authorized_user_exchange(const Json& file, std::string token_uri, http::Transport& transport,
                                    Clock& clock) {
  return [client_id = string_member(file, "client_id"),
          client_secret = Secret(string_member(file, "client_secret")),
          refresh_token = Secret(string_member(file, "refresh_token")), token_uri = std::move(token_uri),
          &transport, &clock] {
    return exchange(form_request(token_uri, {{"grant_type", "refresh_token"},
                                             {"client_id", client_id},
                                             {"client_secret", client_secret.reveal()},
                                             {"refresh_token", refresh_token.reveal()}}),
                    transport, clock);
  };
}

FetchToken service_account_exchange(const Json& file, std::string token_uri, http::Transport& transport,
                                    Clock& clock) {
  return [account = string_member(file, "client_email"), key_id = string_member(file, "private_key_id"),
          key = Secret(string_member(file, "private_key")), token_uri = std::move(token_uri), &transport,
          &clock]() -> Result<FetchedToken> {
    TRY(const Secret assertion, sign_jwt(assertion_claims(account, clock), key_id, key));
    return exchange(form_request(token_uri, {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
                                             {"assertion", assertion.reveal()}}),
                    transport, clock);
  };
}

FetchToken metadata_server_exchange(std::string host, http::Transport& transport, Clock& clock) {
  return [host = std::move(host), &transport, &clock]() -> Result<FetchedToken> {
    http::Request request;
    request.url =
        fmt::format("http://{}/computeMetadata/v1/instance/service-accounts/default/token?scopes={}", host,
                    http::percent_encode(kCloudPlatformScope));
    request.headers = {{"Metadata-Flavor", "Google"}};
    request.timeout = request.connect_timeout = milliseconds(3'000);
    request.bypass_proxy = true;
    Attempts attempts(transport, clock, token_limits(), system_random_unit());
    Outcome outcome = std::move(attempts.run({request}).front());
    if (!outcome.response.ok()) return std::move(outcome.response).error().within("metadata server");
    if (outcome.response->header("metadata-flavor") != "Google") {
      return Error(ErrorCode::kDenied, fmt::format("'{}' is no metadata server", host))
          .why("its answer does not say Metadata-Flavor: Google");
    }
    return read_token(*outcome.response, "the metadata server " + host);
  };
}

}  // namespace slipway::tpu
