#pragma once

#include <functional>
#include <string>

#include "slipway/core/clock.h"
#include "slipway/core/json.h"
#include "slipway/core/secret.h"
#include "slipway/http/transport.h"

namespace slipway::tpu {

inline constexpr const char* kGoogleTokenUri = "https://oauth2.googleapis.com/token";
inline constexpr const char* kCloudPlatformScope = "https://www.googleapis.com/auth/cloud-platform";

struct FetchedToken {
  Secret token;
  std::chrono::seconds lifetime{0};
};
/// Gets a new token from somewhere. Errors: kDenied, or kUnavailable when that place does not answer.
using FetchToken = std::function<Result<FetchedToken>()>;

/// A user who signed in once: the refresh token is exchanged (RFC 6749 section 6). Google's library ignores
/// the file's token_uri.
FetchToken authorized_user_exchange(const Json& file, std::string token_uri, http::Transport& transport,
                                    Clock& clock);
/// A service account's key: a signed assertion is exchanged (RFC 7523). The audience is always Google's token
/// endpoint, wherever the assertion is sent.
FetchToken service_account_exchange(const Json& file, std::string token_uri, http::Transport& transport,
                                    Clock& clock);
/// The VM's own service account. `host` is a name or an address, with a port if it is not 80.
FetchToken metadata_server_exchange(std::string host, http::Transport& transport, Clock& clock);

}  // namespace slipway::tpu
