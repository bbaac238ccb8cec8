#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "slipway/core/clock.h"
#include "slipway/core/json.h"
#include "slipway/core/secret.h"
#include "tpu/token_exchange.h"

namespace slipway::tpu {

/// What `gcloud auth login` left behind for one account.
struct GcloudLogin {
  std::string account;
  Json credentials;  ///< the same JSON as in a credentials file
  std::string rapt;  ///< proof of a recent reauthentication; mostly empty
  Secret token;      ///< the last access token that gcloud fetched; empty for none
  std::chrono::system_clock::time_point token_ends{};
};

/// Reads `account` from credentials.db and access_tokens.db in gcloud's folder. Nothing is written, and
/// another gcloud may be writing meanwhile (5 s of patience). Nothing when there is no such login. Errors
/// (kDenied): a database that cannot be read, or a login in it that is not JSON.
Result<std::optional<GcloudLogin>> read_gcloud_login(const std::string& folder, const std::string& account);

/// Serves gcloud's own last token while it has more than five minutes left, then exchanges as `inner` does.
OwnedExchange cached_exchange(Secret token, std::chrono::system_clock::time_point ends, OwnedExchange inner,
                              const Clock& clock);

}  // namespace slipway::tpu
