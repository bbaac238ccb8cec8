#pragma once

#include "cli/settings.h"
#include "slipway/http/curl_transport.h"

namespace slipway::cli {

/// How to reach servers: --ca-file, and gcloud's proxy/type, address, port, rdns, username and password (all
/// or none of the first three, as gcloud wants it) and core/http_timeout. Errors (kUsage): a value that
/// cannot be followed.
Result<http::CurlOptions> curl_options(const Settings& settings);

}  // namespace slipway::cli
