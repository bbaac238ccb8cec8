#include "tpu/service_account.h"

#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"
#include "tpu/jwt.h"

namespace slipway::tpu {
namespace {

using std::chrono::seconds;
using WallTime = std::chrono::system_clock::time_point;

constexpr seconds kTokenLifetime{3600};
/// Less than this is the answer's way to us, and servers forgive it.
constexpr seconds kForgivenSkew{30};

/// Signs for one service account, by a clock that can be put right.
class Signer {
 public:
  Signer(const Json& file, const Clock& clock)
      : account_(string_member(file, "client_email")),
        key_id_(string_member(file, "private_key_id")),
        key_(string_member(file, "private_key")),
        clock_(clock) {}

  const std::string& account() const { return account_; }

  Result<Secret> sign(Json claims) const {
    const auto now =
        std::chrono::duration_cast<seconds>((clock_.wall_now() + ahead_).time_since_epoch()).count();
    claims["iat"] = now;
    claims["exp"] = now + kTokenLifetime.count();
    claims["scope"] = kCloudPlatformScope;
    return sign_jwt(claims, key_id_, key_);
  }

  /// True when our clock was wrong by more than servers forgive.
  bool set_by(WallTime server) {
    const auto ahead = std::chrono::duration_cast<seconds>(server - clock_.wall_now());
    if (std::chrono::abs(ahead - ahead_) <= kForgivenSkew) return false;
    log(LogLevel::kWarning,
        fmt::format("this machine's clock is {} {} of Google's; tokens are dated by Google's",
                    format_duration(std::chrono::abs(ahead)), ahead.count() > 0 ? "behind" : "ahead"));
    ahead_ = ahead;
    return true;
  }

 private:
  std::string account_;
  std::string key_id_;
  Secret key_;
  const Clock& clock_;
  seconds ahead_{0};  ///< how far the server's clock is ahead of ours
};

class AssertionExchange final : public TokenExchange {
 public:
  AssertionExchange(const Json& file, std::string token_uri, const TokenClient& client)
      : signer_(file, client.clock()), token_uri_(std::move(token_uri)), client_(client) {}

  Result<FetchedToken> fetch() override {
    TRY(http::Response response, ask());
    const auto date = server_time(response);
    if (response.status >= 400 && response.status < 500 && date && signer_.set_by(*date)) {
      TRY(response, ask());
    }
    return read_token(
        response, token_uri_,
        "gcloud iam service-accounts keys list --iam-account " + shell_quote(signer_.account()));
  }
  void note_server_time(WallTime time) override { signer_.set_by(time); }

 private:
  Result<http::Response> ask() const {
    TRY(const Secret assertion, signer_.sign({{"iss", signer_.account()}, {"aud", kGoogleTokenUri}}));
    return client_.send_secret(form_request(
        token_uri_,
        {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", assertion.reveal()}}));
  }

  Signer signer_;
  std::string token_uri_;
  TokenClient client_;
};

class SelfSigned final : public TokenExchange {
 public:
  SelfSigned(const Json& file, const Clock& clock) : signer_(file, clock) {}

  Result<FetchedToken> fetch() override {
    TRY(Secret token, signer_.sign({{"iss", signer_.account()}, {"sub", signer_.account()}}));
    return FetchedToken{std::move(token), kTokenLifetime};
  }
  void note_server_time(WallTime time) override { signer_.set_by(time); }

 private:
  Signer signer_;
};

}  // namespace

OwnedExchange service_account_exchange(const Json& file, std::string token_uri, const TokenClient& client) {
  return std::make_unique<AssertionExchange>(file, std::move(token_uri), client);
}

OwnedExchange self_signed_exchange(const Json& file, Clock& clock) {
  return std::make_unique<SelfSigned>(file, clock);
}

}  // namespace slipway::tpu
