#pragma once

#include <functional>
#include <string>

#include "slipway/core/json.h"
#include "slipway/core/secret.h"
#include "tpu/token_client.h"

namespace slipway::tpu {

/// Proof of who we are elsewhere, fetched anew for each exchange. Errors (kDenied): what is wrong with the
/// source.
using SubjectToken = std::function<Result<Secret>()>;

/// Where a workload identity file says its proof comes from: `credential_source` with a file, a URL (with
/// headers), or an executable (only with GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1). `file` is the whole
/// document; the executable is told parts of it. Errors (kDenied): AWS, certificates, and what is none of
/// these.
Result<SubjectToken> find_subject_token(const Json& file, const TokenClient& client);

}  // namespace slipway::tpu
