#pragma once

#include <memory>

#include "cli/key_propagation.h"
#include "cli/services.h"
#include "cli/settings.h"
#include "slipway/http/curl_transport.h"
#include "slipway/storage/bucket.h"
#include "slipway/tpu/client.h"
#include "slipway/tpu/credentials.h"
#include "slipway/tpu/journal.h"

namespace slipway::cli {

/// The way to the API for one command: the parts that a client needs, owned together.
class Api {
 public:
  /// Finds credentials; contacts nobody yet. Errors: kDenied, kUsage as tpu::find_credentials; kUsage for
  /// settings of gcloud that cannot be followed.
  static Result<std::unique_ptr<Api>> open(const Settings& settings, Services& services);

  tpu::Client& client() { return *client_; }
  tpu::RequestJournal& journal() { return journal_; }
  /// An access token, for what is no call of an API: a tunnel.
  Result<Secret> token() { return tokens_->token(); }
  /// Who may log in to a worker. The other two APIs are not asked where the TPU API is not Google's and
  /// theirs are not named (api_endpoint_overrides/compute and /oslogin): what one's own server gave is not
  /// for Google.
  LoginApis login_apis() { return {*client_, compute_.get(), os_login_.get(), account_}; }
  const tpu::TokenSource& tokens() const { return *tokens_; }
  const std::string& endpoint() const { return endpoint_; }
  /// A bucket of Cloud Storage, with the same credentials; not longer than this object.
  storage::Bucket bucket(const std::string& name);

 private:
  Api(const Settings& settings, Services& services, http::CurlOptions options);

  Services& services_;
  http::CurlTransport transport_;
  std::unique_ptr<tpu::TokenSource> tokens_;
  std::unique_ptr<tpu::Client> client_;
  std::unique_ptr<tpu::Client> compute_;
  std::unique_ptr<tpu::Client> os_login_;
  std::string account_;
  tpu::RequestJournal journal_;
  std::string endpoint_;
  std::vector<std::string> allowed_hosts_;
};

}  // namespace slipway::cli
