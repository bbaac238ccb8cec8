#pragma once

#include <string>

#include "slipway/tpu/gcloud_config.h"
#include "tpu/token_exchange.h"

namespace slipway::tpu {

/// Where a document with credentials lies, and what is known beside it.
struct CredentialsOrigin {
  std::string name;  ///< for people: a path, or "gcloud's login A"
  std::string next;  ///< what to type when the sign-in in it is refused
  std::string rapt;  ///< gcloud's proof of a recent reauthentication
};

/// Credentials in Google's JSON, ready to be exchanged.
struct ReadCredentials {
  OwnedExchange exchange;
  std::string who;            ///< for people: "service account S", "the user of F"
  std::string quota_project;  ///< that the document itself names
  bool is_user = false;       ///< a person, not a machine
};

/// All of the types of google-auth but gdch, and those that only gcloud's own store has. Errors (kDenied):
/// another type, a member that is missing, with the reason; kUsage: credentials of another universe.
Result<ReadCredentials> read_credentials(const Json& document, const CredentialsOrigin& origin,
                                         const GcloudConfig& gcloud, const TokenClient& client);
/// The same from a file.
Result<ReadCredentials> read_credentials_file(const std::string& path, const GcloudConfig& gcloud,
                                              const TokenClient& client);

/// The metadata server's host on a Google VM, or wherever the variables say; empty elsewhere. No packet is
/// sent to find out.
std::string find_metadata_host();

/// A property that says something: gcloud takes an empty one for set, but an empty credential is none.
std::string property_or(const GcloudConfig& gcloud, std::string_view section, std::string_view name,
                        const std::string& otherwise = "");
/// gcloud's words for yes: 1, true, on, yes, y.
bool is_set(const GcloudConfig& gcloud, std::string_view section, std::string_view name);

}  // namespace slipway::tpu
