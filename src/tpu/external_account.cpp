#include "tpu/external_account.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"
#include "tpu/impersonation.h"
#include "tpu/subject_token.h"
#include "tpu/token_sources.h"

namespace slipway::tpu {
namespace {

constexpr const char* kIamScope = "https://www.googleapis.com/auth/iam";
constexpr const char* kWorkforceAudience = "//iam.googleapis.com/locations/";

/// "//iam.googleapis.com/locations/L/workforcePools/..." are people; workloads have a project there.
bool is_workforce(const std::string& audience) {
  return audience.rfind(kWorkforceAudience, 0) == 0 && audience.find("/workforcePools/") != std::string::npos;
}

class TokenService final : public TokenExchange {
 public:
  TokenService(const Json& file, std::string scope, SubjectToken subject, const TokenClient& client)
      : url_(string_member(file, "token_url")),
        audience_(string_member(file, "audience")),
        subject_type_(string_member(file, "subject_token_type")),
        user_project_(string_member(file, "workforce_pool_user_project")),
        scope_(std::move(scope)),
        subject_(std::move(subject)),
        client_(client) {
    const std::string id = string_member(file, "client_id");
    if (!id.empty()) basic_ = Secret(base64_encode(id + ":" + string_member(file, "client_secret")));
  }

  Result<FetchedToken> fetch() override {
    TRY(const Secret subject, subject_());
    std::vector<std::pair<std::string, std::string>> fields = {
        {"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
        {"audience", audience_},
        {"scope", scope_},
        {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
        {"subject_token", subject.reveal()},
        {"subject_token_type", subject_type_}};
    // A client that says who it is has its project with it. The JSON is encoded once by itself, as Google's
    // library sends it, and once more as a field.
    if (!user_project_.empty() && basic_.empty())
      fields.emplace_back("options", http::percent_encode(dump_json({{"userProject", user_project_}})));
    http::Request request = form_request(url_, fields);
    if (!basic_.empty()) request.headers.emplace_back("Authorization", "Basic " + basic_.reveal());
    TRY(const http::Response response, client_.send_secret(request));
    return read_token(response, url_, "slipway help auth");
  }

 private:
  std::string url_;
  std::string audience_;
  std::string subject_type_;
  std::string user_project_;
  std::string scope_;
  SubjectToken subject_;
  Secret basic_;
  TokenClient client_;
};

Error unusable(const std::string& why) {
  return Error(ErrorCode::kDenied, "the credentials file cannot be used").why(why).next("slipway help auth");
}

}  // namespace

Result<OwnedExchange> external_account_exchange(const Json& file, const TokenClient& client) {
  if (!string_member(file, "workforce_pool_user_project").empty() &&
      !is_workforce(string_member(file, "audience")))
    return unusable("workforce_pool_user_project is for workforce pools only");
  TRY(SubjectToken subject, find_subject_token(file, client));
  const std::string url = string_member(file, "service_account_impersonation_url");
  const std::string scope = url.empty() ? kCloudPlatformScope : kIamScope;
  OwnedExchange exchange = std::make_unique<TokenService>(file, scope, std::move(subject), client);
  if (url.empty()) return exchange;
  const std::string account = impersonated_account(url);
  if (account.empty()) return unusable("its service_account_impersonation_url names no service account");
  Impersonation impersonation;
  impersonation.url = url;
  if (const Json* options = find_member(file, "service_account_impersonation"); options != nullptr) {
    const auto lifetime = int_member(*options, "token_lifetime_seconds");
    if (lifetime) impersonation.lifetime = std::chrono::seconds(*lifetime);
  }
  auto source = std::make_unique<RenewedToken>(std::move(exchange), client.clock(), SourceInfo{});
  return impersonated_exchange(std::move(source), std::move(impersonation), client);
}

}  // namespace slipway::tpu
