#include "tpu/api_error.h"

#include <array>

#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/http/retry.h"

namespace slipway::tpu {
namespace {

constexpr std::size_t kShownOfGarbage = 80;

/// google.rpc.Code by number.
constexpr std::array<const char*, 17> kRpcCodes = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

const Json kNoDetails = Json::array();

const Json& array_member(const Json& value, std::string_view key) {
  const Json* found = find_member(value, key);
  return found != nullptr && found->is_array() ? *found : kNoDetails;
}

std::string join_nonempty(const std::string& a, std::string_view between, const std::string& b) {
  return a.empty() || b.empty() ? a + b : fmt::format("{}{}{}", a, between, b);
}

/// One entry of details[], told apart by what it holds: the types never share a member.
void read_detail(const Json& detail, ApiError& error) {
  if (const std::string reason = string_member(detail, "reason"); !reason.empty()) {
    error.reason = reason;
    const Json* metadata = find_member(detail, "metadata");
    if (metadata != nullptr) error.permission = string_member(*metadata, "permission");
  }
  for (const Json& violation : array_member(detail, "fieldViolations")) {
    error.field_violations.push_back(
        join_nonempty(string_member(violation, "field"), ": ", string_member(violation, "description")));
  }
  const bool is_quota = string_member(detail, "@type").find("QuotaFailure") != std::string::npos;
  for (const Json& violation : array_member(detail, "violations")) {
    if (!is_quota) break;  // PreconditionFailure has violations too
    error.quota_violations.push_back(
        join_nonempty(string_member(violation, "subject"), ": ", string_member(violation, "description")));
  }
  for (const Json& link : array_member(detail, "links")) error.links.push_back(string_member(link, "url"));
}

std::string first_words(const http::Response& response) {
  const std::string begin = printable(trim(std::string_view(response.body).substr(0, kShownOfGarbage)));
  return begin.empty() ? "" : fmt::format("it is not an answer of a Google API and begins: {}", begin);
}

ErrorCode code_of(const ApiError& error) {
  if (error.http_status == 401 || error.http_status == 403) return ErrorCode::kDenied;
  if (error.http_status == 404) return ErrorCode::kNotFound;
  if (error.http_status == 409 || error.http_status == 412 || error.status == "FAILED_PRECONDITION")
    return ErrorCode::kConflict;
  if (names_a_quota(error)) return ErrorCode::kQuota;
  if (error.http_status == 429 || error.http_status == 408) return ErrorCode::kUnavailable;
  return error.http_status >= 500 ? ErrorCode::kUnavailable : ErrorCode::kFailed;
}

std::string headline(const ApiError& error) {
  if (error.http_status == 401) return "the access token is not accepted";
  if (error.http_status == 403) return "not allowed";
  if (error.http_status == 404) return "not found";
  if (error.http_status >= 500) return "the API has a problem";
  return "the API refuses it";
}

std::string why_of(const ApiError& error) {
  std::string why = error.message;
  for (const auto* list : {&error.field_violations, &error.quota_violations, &error.links}) {
    for (const std::string& line : *list) {
      const bool says_the_same = !error.message.empty() && line.find(error.message) != std::string::npos;
      if (!says_the_same) why = join_nonempty(why, "; ", line);
    }
  }
  if (!error.permission.empty() && why.find(error.permission) == std::string::npos) {
    why = join_nonempty(why, "; ", "needs the permission " + error.permission);
  }
  return printable(why);
}

std::string next_of(const ApiError& error) {
  if (error.http_status == 401) return "gcloud auth application-default login";
  if (error.reason == "SERVICE_DISABLED") return "gcloud services enable tpu.googleapis.com";
  return "";
}

}  // namespace

ApiError parse_api_error(const http::Response& response) {
  ApiError error;
  error.http_status = response.status;
  const Result<Json> document = parse_json(response.body);
  const Json* body = document.ok() ? find_member(document.value(), "error") : nullptr;
  if (body == nullptr || !body->is_object()) {
    error.message = first_words(response);
    if (response.status >= 300 && response.status < 400) {
      error.message =
          fmt::format("it redirects to {}; redirects are never followed", response.header("location"));
    }
    return error;
  }
  error.status = string_member(*body, "status");
  error.message = string_member(*body, "message");
  for (const Json& detail : array_member(*body, "details")) read_detail(detail, error);
  return error;
}

bool names_a_quota(const ApiError& error) {
  if (error.reason == "RATE_LIMIT_EXCEEDED") return false;
  return !error.quota_violations.empty() || error.reason == "QUOTA_EXCEEDED" ||
         error.reason == "RESOURCE_POOL_EXHAUSTED";
}

bool is_retryable(const Result<http::Response>& answer) {
  if (!http::is_retryable(answer)) return false;
  return !answer.ok() || answer->status != 429 || !names_a_quota(parse_api_error(answer.value()));
}

Error to_error(const ApiError& error, const std::string& what) {
  ErrorCode code = code_of(error);
  // By the time a plain RESOURCE_EXHAUSTED is an error, waiting has not helped: it was no passing rate limit.
  if (error.status == "RESOURCE_EXHAUSTED" && error.reason != "RATE_LIMIT_EXCEEDED") code = ErrorCode::kQuota;
  const std::string status = join_nonempty(std::to_string(error.http_status), " ", printable(error.status));
  return Error(code, fmt::format("{}: {} ({})", what, headline(error), status))
      .why(why_of(error))
      .next(next_of(error));
}

ErrorCode code_of(const ApiStatus& status) {
  switch (status.code) {
    case 5:
      return ErrorCode::kNotFound;
    case 6:
    case 9:
    case 10:
      return ErrorCode::kConflict;
    case 7:
    case 16:
      return ErrorCode::kDenied;
    case 8:
      return ErrorCode::kQuota;
    case 4:
    case 14:
      return ErrorCode::kUnavailable;
    default:
      return ErrorCode::kFailed;
  }
}

std::string describe(const ApiStatus& status) {
  const auto index = static_cast<std::size_t>(status.code);
  const std::string name =
      status.code > 0 && index < kRpcCodes.size() ? kRpcCodes.at(index) : fmt::format("code {}", status.code);
  return printable(join_nonempty(name, ": ", status.message));
}

}  // namespace slipway::tpu
