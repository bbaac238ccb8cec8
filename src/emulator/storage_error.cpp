#include "emulator/storage_error.h"

namespace slipway::emulator {
namespace {

const char* reason_of(int status) {
  switch (status) {
    case 401:
      return "authError";
    case 403:
      return "forbidden";
    case 404:
      return "notFound";
    case 408:
      return "requestTimeout";
    case 409:
      return "conflict";
    case 412:
      return "conditionNotMet";
    case 413:
      return "uploadTooLarge";
    case 429:
      return "rateLimitExceeded";
    case 500:
    case 502:
    case 503:
    case 504:
      return "backendError";
    default:
      return "invalid";
  }
}

}  // namespace

HttpAnswer StorageError::answer() const {
  Json one{{"message", message}, {"domain", status == 429 ? "usageLimits" : "global"}, {"reason", reason}};
  if (!location_type.empty()) {
    one["locationType"] = location_type;
    one["location"] = location;
  }
  return as_http(
      status,
      Json{{"error",
            Json{{"code", status}, {"message", message}, {"errors", Json::array({std::move(one)})}}}});
}

StorageError no_such_bucket() { return {404, "notFound", "The specified bucket does not exist."}; }

StorageError no_such_object(const std::string& bucket, const std::string& name) {
  return {404, "notFound", "No such object: " + bucket + "/" + name};
}

StorageError condition_not_met() {
  return {412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.", "header",
          "If-Match"};
}

StorageError bad_parameter(const std::string& name, const std::string& message) {
  return {400, "invalidParameter", message, "parameter", name};
}

StorageError bad_request(const std::string& message) { return {400, "invalid", message}; }

StorageError storage_error_of(int status, const std::string& message) {
  StorageError error{status, reason_of(status), message};
  if (status == 401) {
    error.location_type = "header";
    error.location = "Authorization";
  }
  return error;
}

}  // namespace slipway::emulator
