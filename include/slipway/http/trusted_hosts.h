#pragma once

#include <string>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::http {

/// Whether a secret may travel to `url`: over TLS to googleapis.com or below it, to loopback, or to a host
/// that the user named. A file that was downloaded from somewhere says where its secrets go, so its word is
/// not enough. Errors (kUsage): anywhere else, with the flag that allows it.
Result<void> check_trusted(const std::string& url, const std::vector<std::string>& allowed_hosts);

}  // namespace slipway::http
