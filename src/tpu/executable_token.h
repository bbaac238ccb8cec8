#pragma once

#include "slipway/core/json.h"
#include "tpu/subject_token.h"

namespace slipway::tpu {

/// A program that prints the identity token (google-auth's "executable-sourced credentials", version 1 of its
/// answer). It is started without a shell, gets what the documents name in GOOGLE_EXTERNAL_ACCOUNT_*, none of
/// our own tokens, and `timeout_millis` (5 to 120 s, else 30). An `output_file` that is still valid is used
/// instead. Errors (kDenied): executables are not allowed, or a member is missing.
Result<SubjectToken> executable_token(const Json& file, Clock& clock);

}  // namespace slipway::tpu
