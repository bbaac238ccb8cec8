#pragma once

#include <memory>

#include "cli/services.h"
#include "cli/settings.h"
#include "slipway/http/curl_transport.h"
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
  const tpu::TokenSource& tokens() const { return *tokens_; }
  const std::string& endpoint() const { return endpoint_; }

 private:
  Api(const Settings& settings, Services& services, http::CurlOptions options);

  http::CurlTransport transport_;
  std::unique_ptr<tpu::TokenSource> tokens_;
  std::unique_ptr<tpu::Client> client_;
  tpu::RequestJournal journal_;
  std::string endpoint_;
};

}  // namespace slipway::cli
