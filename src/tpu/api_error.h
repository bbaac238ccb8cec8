#pragma once

#include <string>
#include <vector>

#include "slipway/core/error.h"
#include "slipway/http/transport.h"
#include "slipway/model/queued_resource.h"

namespace slipway::tpu {

/// What a refusal of a Google API says: {"error": {code, message, status, details[]}} (google.rpc.Status as
/// JSON). Whatever is no such document still gives the HTTP status and the beginning of the body.
struct ApiError {
  int http_status = 0;
  std::string
      status;  ///< PERMISSION_DENIED, ...: google.rpc.Code's name; empty when the answer is not Google's
  std::string message;
  std::string reason;      ///< ErrorInfo.reason: SERVICE_DISABLED, RATE_LIMIT_EXCEEDED, ...
  std::string permission;  ///< ErrorInfo.metadata.permission
  std::vector<std::string> field_violations;
  std::vector<std::string> quota_violations;
  std::vector<std::string> links;
};

ApiError parse_api_error(const http::Response& response);

/// A refusal that no waiting changes: a quota is named, and it is not one of requests a minute.
bool names_a_quota(const ApiError& error);

/// http::is_retryable(), but for a refusal that no waiting changes.
bool is_retryable(const Result<http::Response>& answer);

/// The error to give up, as client.h maps it. `what` says what we were doing: "queued resource 'q'".
Error to_error(const ApiError& error, const std::string& what);

/// What an operation, or a FAILED request, says went wrong: RESOURCE_EXHAUSTED kQuota, NOT_FOUND kNotFound,
/// and so on.
ErrorCode code_of(const ApiStatus& status);
/// "RESOURCE_EXHAUSTED: There is no more capacity ..."
std::string describe(const ApiStatus& status);

}  // namespace slipway::tpu
