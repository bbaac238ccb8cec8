#include "emulator/api_error.h"

#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

struct Row {
  int http;
  int rpc;
  const char* name;
};

Row row(Status status) {
  switch (status) {
    case Status::kInvalidArgument:
      return {400, 3, "INVALID_ARGUMENT"};
    case Status::kNotFound:
      return {404, 5, "NOT_FOUND"};
    case Status::kAlreadyExists:
      return {409, 6, "ALREADY_EXISTS"};
    case Status::kPermissionDenied:
      return {403, 7, "PERMISSION_DENIED"};
    case Status::kUnauthenticated:
      return {401, 16, "UNAUTHENTICATED"};
    case Status::kResourceExhausted:
      return {429, 8, "RESOURCE_EXHAUSTED"};
    case Status::kFailedPrecondition:
      return {400, 9, "FAILED_PRECONDITION"};
    case Status::kAborted:
      return {409, 10, "ABORTED"};
    case Status::kInternal:
      return {500, 13, "INTERNAL"};
    case Status::kMisdirected:
      return {421, 3, "INVALID_ARGUMENT"};
  }
  return {500, 13, "INTERNAL"};
}

}  // namespace

Answer ApiError::answer() const {
  const Row words = row(status);
  Json error{{"code", words.http}, {"message", message}, {"status", words.name}};
  if (!details.empty()) error["details"] = details;
  return {words.http, Json{{"error", std::move(error)}}};
}

Json ApiError::rpc_status() const {
  Json value{{"code", row(status).rpc}, {"message", message}};
  if (!details.empty()) value["details"] = details;
  return value;
}

ApiError bad_field(const std::string& field, const std::string& message) {
  const Json violation{{"field", field}, {"description", message}};
  const Json detail{{"@type", "type.googleapis.com/google.rpc.BadRequest"},
                    {"fieldViolations", Json::array({violation})}};
  return {Status::kInvalidArgument, message, Json::array({detail})};
}

ApiError no_such(const std::string& name) {
  return {Status::kNotFound, fmt::format("Resource '{}' was not found", name)};
}

ApiError over_quota(const std::string& subject, const std::string& message) {
  const Json violation{{"subject", subject}, {"description", message}};
  const Json detail{{"@type", "type.googleapis.com/google.rpc.QuotaFailure"},
                    {"violations", Json::array({violation})}};
  return {Status::kResourceExhausted, message, Json::array({detail})};
}

}  // namespace slipway::emulator
