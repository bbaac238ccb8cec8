#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/random.h"
#include "slipway/core/secret.h"
#include "slipway/http/transport.h"
#include "slipway/tpu/gcloud_config.h"

namespace slipway::tpu {

/// Gives access tokens, fetching a new one five minutes before the last one ends.
class TokenSource {
 public:
  virtual ~TokenSource() = default;
  /// Empty when requests are to carry none (gcloud's auth/disable_credentials). Errors: kDenied with how to
  /// sign in; kUnavailable when the token endpoint does not answer.
  virtual Result<Secret> token() = 0;
  /// The server refused the last token (401): the next token() fetches a new one. False when there is no way
  /// to get another.
  virtual bool refresh() = 0;
  /// What time it is for the server that refused: what we sign ourselves is dated by its clock from then on.
  virtual void note_server_time(std::chrono::system_clock::time_point) {}
  /// Where the token comes from, for --verbose and errors: "access token file F", "service account S".
  virtual std::string description() const = 0;
  /// Which setting chose this source: "--account", "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", the file of gcloud's
  /// configuration or of the credentials that is there; empty when none did.
  virtual std::string origin() const { return ""; }
  /// The project that calls are counted against (X-Goog-User-Project); empty for none.
  virtual std::string quota_project() const { return ""; }
  /// A line of shell that prints such a token, for --dry-run=curl. The token itself is never in it.
  virtual std::string shell_command() const { return "gcloud auth print-access-token"; }
};

struct CredentialOptions {
  std::string access_token_file = "";  ///< from the flag; wins over all other sources
  std::string impersonate_service_account =
      "";                            ///< "DELEGATE,...,TARGET"; else auth/impersonate_service_account
  std::string account = "";          ///< which of gcloud's logins; else core/account
  std::string project = "";          ///< a user who is signed in with gcloud is counted against it
  std::string billing_project = "";  ///< X-Goog-User-Project, whatever the credentials say
  /// Hosts beside googleapis.com and loopback that may be sent secrets, because the user named them.
  std::vector<std::string> allowed_hosts = {};
};

/// Finds the first of: the flag's file; CLOUDSDK_AUTH_ACCESS_TOKEN; gcloud's auth/access_token_file and
/// auth/credential_file_override; GOOGLE_APPLICATION_CREDENTIALS; gcloud's own login (`gcloud auth login`);
/// its application_default_credentials.json; the metadata server. Then puts impersonation around it.
/// docs/adr/0013 says why in this order. Errors (kDenied): none of them, or one that cannot be used, with
/// what to type; kUsage: a setting that cannot be followed. Nothing is sent before token().
Result<std::unique_ptr<TokenSource>> find_credentials(const CredentialOptions& options,
                                                      const GcloudConfig& gcloud, http::Transport& transport,
                                                      Clock& clock, RandomUnit random = system_random_unit());

}  // namespace slipway::tpu
