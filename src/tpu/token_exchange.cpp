#include "tpu/token_exchange.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/http/retry.h"
#include "slipway/http/url.h"

namespace slipway::tpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kLifetimeUnknown{3600};

/// RFC 6749 section 5.2 says it in "error" and "error_description", IAM and STS in Google's own shape, and
/// the metadata server in plain text.
std::string words_of(const http::Response& response) {
  const Result<Json> document = parse_json(response.body);
  if (!document.ok())
    return fmt::format("status {}: {}", response.status, trim(std::string_view(response.body).substr(0, 80)));
  const Json* message = find_path(document.value(), {"error", "message"});
  if (message != nullptr && message->is_string())
    return fmt::format("status {}: {}", response.status, message->get<std::string>());
  return fmt::format("status {}: {}: {}", response.status, string_member(document.value(), "error"),
                     string_member(document.value(), "error_description"));
}

class AuthorizedUser final : public TokenExchange {
 public:
  AuthorizedUser(const Json& file, std::string token_uri, std::string rapt, std::string next,
                 const TokenClient& client)
      : client_id_(string_member(file, "client_id")),
        client_secret_(string_member(file, "client_secret")),
        refresh_token_(string_member(file, "refresh_token")),
        token_uri_(std::move(token_uri)),
        rapt_(std::move(rapt)),
        next_(std::move(next)),
        client_(client) {}

  Result<FetchedToken> fetch() override {
    std::vector<std::pair<std::string, std::string>> fields = {{"grant_type", "refresh_token"},
                                                               {"client_id", client_id_},
                                                               {"client_secret", client_secret_.reveal()},
                                                               {"refresh_token", refresh_token_.reveal()}};
    if (!rapt_.empty()) fields.emplace_back("rapt", rapt_.reveal());
    TRY(const http::Response response, client_.send_secret(form_request(token_uri_, fields)));
    return read_token(response, token_uri_, next_);
  }

 private:
  std::string client_id_;
  Secret client_secret_;
  Secret refresh_token_;
  std::string token_uri_;
  Secret rapt_;
  std::string next_;
  TokenClient client_;
};

class ExternalUser final : public TokenExchange {
 public:
  ExternalUser(const Json& file, std::string next, const TokenClient& client)
      : token_url_(string_member(file, "token_url")),
        basic_(base64_encode(
            fmt::format("{}:{}", string_member(file, "client_id"), string_member(file, "client_secret")))),
        refresh_token_(string_member(file, "refresh_token")),
        next_(std::move(next)),
        client_(client) {}

  Result<FetchedToken> fetch() override {
    http::Request request = form_request(
        token_url_, {{"grant_type", "refresh_token"}, {"refresh_token", refresh_token_.reveal()}});
    request.headers.emplace_back("Authorization", "Basic " + basic_.reveal());
    TRY(const http::Response response, client_.send_secret(request));
    TRY(FetchedToken fetched, read_token(response, token_url_, next_));
    // STS may hand out a new refresh token, and then the old one is used up.
    const Result<Json> document = parse_json(response.body);
    if (std::string newer = document.ok() ? string_member(*document, "refresh_token") : ""; !newer.empty())
      refresh_token_ = Secret(std::move(newer));
    return fetched;
  }

 private:
  std::string token_url_;
  Secret basic_;
  Secret refresh_token_;
  std::string next_;
  TokenClient client_;
};

class MetadataServer final : public TokenExchange {
 public:
  MetadataServer(std::string host, std::string account, const TokenClient& client)
      : host_(std::move(host)), account_(std::move(account)), client_(client) {}

  Result<FetchedToken> fetch() override {
    http::Request request;
    request.url = fmt::format("http://{}/computeMetadata/v1/instance/service-accounts/{}/token?scopes={}",
                              host_, account_.empty() ? "default" : http::percent_encode(account_),
                              http::percent_encode(kCloudPlatformScope));
    request.headers = {{"Metadata-Flavor", "Google"}};
    request.timeout = request.connect_timeout = milliseconds(3'000);
    request.bypass_proxy = true;
    Result<http::Response> response = client_.send_open(request);
    if (!response.ok()) return std::move(response).error().within("metadata server");
    if (response->header("metadata-flavor") != "Google") {
      return Error(ErrorCode::kDenied, fmt::format("'{}' is no metadata server", host_))
          .why("its answer does not say Metadata-Flavor: Google");
    }
    return read_token(*response, "the metadata server " + host_, "slipway help auth");
  }

 private:
  std::string host_;
  std::string account_;
  TokenClient client_;
};

}  // namespace

Error token_refusal(const http::Response& response, const std::string& endpoint, const std::string& next) {
  const bool later = response.status >= 500 || response.status == 429 || response.status == 408;
  Error error = Error(later ? ErrorCode::kUnavailable : ErrorCode::kDenied,
                      fmt::format("no access token from {}", endpoint))
                    .why(printable(words_of(response)));
  return later ? error : std::move(error).next(next);
}

Result<FetchedToken> read_token(const http::Response& response, const std::string& endpoint,
                                const std::string& next) {
  if (response.status != 200) return token_refusal(response, endpoint, next);
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

std::optional<std::chrono::system_clock::time_point> server_time(const http::Response& response) {
  return http::parse_http_date(response.header("date"));
}

OwnedExchange authorized_user_exchange(const Json& file, std::string token_uri, std::string rapt,
                                       std::string next, const TokenClient& client) {
  return std::make_unique<AuthorizedUser>(file, std::move(token_uri), std::move(rapt), std::move(next),
                                          client);
}

OwnedExchange external_user_exchange(const Json& file, std::string next, const TokenClient& client) {
  return std::make_unique<ExternalUser>(file, std::move(next), client);
}

OwnedExchange metadata_server_exchange(std::string host, std::string account, const TokenClient& client) {
  return std::make_unique<MetadataServer>(std::move(host), std::move(account), client);
}

}  // namespace slipway::tpu
