#pragma once

#include <string>
#include <utility>

#include "slipway/core/json.h"

namespace slipway::emulator {

/// One answer of the API: an HTTP status and a JSON body.
struct Answer {
  int status = 200;
  Json body = Json::object();
};

/// The google.rpc codes that the API uses, each with its number and its HTTP status.
enum class Status {
  kInvalidArgument,
  kNotFound,
  kAlreadyExists,
  kPermissionDenied,
  kUnauthenticated,
  kResourceExhausted,
  kFailedPrecondition,
  kAborted,
  kInternal,
  kMisdirected,  ///< HTTP 421: the request was meant for another host
};

/// An error as the API words it, both as an HTTP answer and inside an operation.
struct ApiError {
  Status status;
  std::string message;
  Json details = Json::array();

  /// {"error": {code (HTTP), message, status, details}}.
  Answer answer() const;
  /// google.rpc.Status: {code (rpc), message, details}.
  Json rpc_status() const;
};

/// INVALID_ARGUMENT with a BadRequest detail that names the field.
ApiError bad_field(const std::string& field, const std::string& message);
/// NOT_FOUND of a resource, by its full name.
ApiError no_such(const std::string& name);
/// RESOURCE_EXHAUSTED with a QuotaFailure detail: a limit that trying again does not move.
ApiError over_quota(const std::string& subject, const std::string& message);

}  // namespace slipway::emulator
