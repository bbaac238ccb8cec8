#pragma once

#include <functional>
#include <memory>
#include <string>

#include "slipway/core/clock.h"
#include "slipway/core/secret.h"
#include "slipway/http/transport.h"
#include "slipway/tpu/gcloud_config.h"

namespace slipway::tpu {

/// Gives access tokens, fetching a new one when the last is close to its end (google-auth's margin: 3 min 45
/// s).
class TokenSource {
 public:
  virtual ~TokenSource() = default;
  /// Errors: kDenied with how to sign in; kUnavailable when the token endpoint does not answer.
  virtual Result<Secret> token() = 0;
  /// The server refused the last token (401): the next token() fetches a new one. False when there is no way
  /// to get another.
  virtual bool refresh() = 0;
  /// Where the token comes from, for --verbose and errors: "access token file F", "service account S".
  virtual std::string description() const = 0;
  /// The project that calls are counted against (X-Goog-User-Project); empty for none.
  virtual std::string quota_project() const { return ""; }
};

struct CredentialOptions {
  std::string access_token_file;  ///< from the flag; wins over everything
};

/// Finds the first of: the flag's file, CLOUDSDK_AUTH_ACCESS_TOKEN, gcloud's auth/access_token_file,
/// Application Default Credentials (GOOGLE_APPLICATION_CREDENTIALS, gcloud's
/// application_default_credentials.json: authorized_user, service_account), the metadata server. Errors
/// (kDenied): none of them, with the two shortest ways to get one. Nothing is fetched before token().
Result<std::unique_ptr<TokenSource>> find_credentials(const CredentialOptions& options,
                                                      const GcloudConfig& gcloud, http::Transport& transport,
                                                      Clock& clock);

}  // namespace slipway::tpu
