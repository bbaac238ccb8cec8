#include "tpu/impersonation.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::tpu {
namespace {

using std::chrono::seconds;

constexpr const char* kIamEndpoint = "https://iamcredentials.googleapis.com";
constexpr const char* kMethod = ":generateAccessToken";
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;

/// The API wants the long name; both gcloud's flag and Google's files also have the e-mail alone.
std::string delegate_name(const std::string& account) {
  return account.find('/') != std::string::npos ? account : "projects/-/serviceAccounts/" + account;
}

class ImpersonatedExchange final : public TokenExchange {
 public:
  ImpersonatedExchange(std::unique_ptr<TokenSource> source, Impersonation impersonation,
                       const TokenClient& client)
      : source_(std::move(source)),
        target_(impersonated_account(impersonation.url)),
        impersonation_(std::move(impersonation)),
        client_(client) {}

  Result<FetchedToken> fetch() override {
    TRY(http::Response response, ask());
    if (response.status == kUnauthorized) {
      if (const auto date = server_time(response)) source_->note_server_time(*date);
      if (source_->refresh()) {
        TRY(response, ask());
      }
    }
    return read(response);
  }
  void note_server_time(std::chrono::system_clock::time_point time) override {
    source_->note_server_time(time);
  }

 private:
  Result<http::Response> ask() const {
    http::Request request;
    request.method = "POST";
    request.url = impersonation_.url;
    request.headers = {{"Content-Type", "application/json"}};
    TRY(request.bearer, source_->token());
    Json body = Json::object();
    for (const std::string& delegate : impersonation_.delegates)
      body["delegates"].push_back(delegate_name(delegate));
    body["scope"] = Json::array({kCloudPlatformScope});
    body["lifetime"] = fmt::format("{}s", impersonation_.lifetime.count());
    request.body = dump_json(body);
    request.timeout = seconds(30);
    request.idempotent = true;
    return client_.send_secret(request);
  }

  Result<FetchedToken> read(const http::Response& response) const {
    const std::string endpoint = fmt::format("IAM for '{}'", target_);
    if (response.status == kForbidden || response.status == 404) {
      return token_refusal(response, endpoint,
                           fmt::format("gcloud iam service-accounts add-iam-policy-binding {} --role "
                                       "roles/iam.serviceAccountTokenCreator --member user:YOU",
                                       shell_quote(target_)));
    }
    if (response.status != 200) return token_refusal(response, endpoint, "slipway help auth");
    const Result<Json> document = parse_json(response.body);
    FetchedToken fetched;
    if (document.ok()) fetched.token = Secret(string_member(document.value(), "accessToken"));
    if (fetched.token.empty())
      return Error(ErrorCode::kFailed, "no access token from " + endpoint).why("its answer holds none");
    fetched.lifetime = lifetime_in(*document, response);
    return fetched;
  }

  /// The end is a time of day, so it counts by the clock of the server that says it.
  seconds lifetime_in(const Json& answer, const http::Response& response) const {
    const auto end = parse_rfc3339(string_member(answer, "expireTime"));
    if (!end) return impersonation_.lifetime;
    const auto now = server_time(response).value_or(client_.clock().wall_now());
    return std::max(seconds(0), std::chrono::duration_cast<seconds>(*end - now));
  }

  std::unique_ptr<TokenSource> source_;
  std::string target_;
  Impersonation impersonation_;
  TokenClient client_;
};

}  // namespace

std::string impersonated_account(const std::string& url) {
  const std::size_t end = url.find(kMethod);
  const std::size_t slash = url.rfind('/', end);
  if (end == std::string::npos || slash == std::string::npos) return "";
  return url.substr(slash + 1, end - slash - 1);
}

std::string impersonation_url(const std::string& endpoint, const std::string& account) {
  std::string base = endpoint.empty() ? kIamEndpoint : endpoint;
  while (!base.empty() && base.back() == '/') base.pop_back();
  return fmt::format("{}/v1/projects/-/serviceAccounts/{}{}", base, account, kMethod);
}

Result<ImpersonationChain> parse_impersonation_chain(const std::string& text) {
  ImpersonationChain chain;
  for (const std::string& word : split(text, ',')) {
    const std::string account(trim(word));
    const bool plain = !account.empty() && std::all_of(account.begin(), account.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '@' || c == '.' || c == '-' || c == '_' || c == ':';
    });
    if (!plain) {
      return Error(ErrorCode::kUsage, fmt::format("'{}' is no service account to act as", printable(account)))
          .why("it takes an e-mail address, or several with commas: DELEGATE,TARGET");
    }
    chain.delegates.push_back(account);
  }
  chain.target = chain.delegates.back();
  chain.delegates.pop_back();
  return chain;
}

OwnedExchange impersonated_exchange(std::unique_ptr<TokenSource> source, Impersonation impersonation,
                                    const TokenClient& client) {
  return std::make_unique<ImpersonatedExchange>(std::move(source), std::move(impersonation), client);
}

}  // namespace slipway::tpu
