#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "slipway/core/json.h"
#include "slipway/core/secret.h"
#include "tpu/token_client.h"

namespace slipway::tpu {

inline constexpr const char* kGoogleTokenUri = "https://oauth2.googleapis.com/token";
inline constexpr const char* kCloudPlatformScope = "https://www.googleapis.com/auth/cloud-platform";

struct FetchedToken {
  Secret token;
  std::chrono::seconds lifetime{0};
};

/// One way to get an access token, asked anew each time.
class TokenExchange {
 public:
  virtual ~TokenExchange() = default;
  /// Errors: kDenied with what to type; kUnavailable when nobody answers; kUsage for a host that is not
  /// trusted.
  virtual Result<FetchedToken> fetch() = 0;
  virtual void note_server_time(std::chrono::system_clock::time_point) {}
};
using OwnedExchange = std::unique_ptr<TokenExchange>;

/// The token in an answer of an OAuth endpoint (RFC 6749 section 5), or the error that it is. `next` is what
/// to type when the sign-in itself is refused.
Result<FetchedToken> read_token(const http::Response& response, const std::string& endpoint,
                                const std::string& next);
/// The same for the failures only: what the endpoint said, by its status.
Error token_refusal(const http::Response& response, const std::string& endpoint, const std::string& next);

/// The Date of an answer: what time it is for its server.
std::optional<std::chrono::system_clock::time_point> server_time(const http::Response& response);

/// A user who signed in once: the refresh token is exchanged (RFC 6749 section 6). Google's library ignores
/// the file's token_uri, and so do we. `rapt` is gcloud's proof of a recent reauthentication; mostly empty.
OwnedExchange authorized_user_exchange(const Json& file, std::string token_uri, std::string rapt,
                                       std::string next, const TokenClient& client);
/// A user of a workforce pool who signed in in a browser: STS exchanges the refresh token, and the client's
/// secret travels as Basic authentication.
OwnedExchange external_user_exchange(const Json& file, std::string next, const TokenClient& client);
/// The VM's own service account, or `account`, one of those that it has. `host` is a name or an address, with
/// a port if it is not 80.
OwnedExchange metadata_server_exchange(std::string host, std::string account, const TokenClient& client);

}  // namespace slipway::tpu
