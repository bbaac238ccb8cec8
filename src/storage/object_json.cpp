#include "storage/object_json.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::storage {
namespace {

constexpr std::size_t kLongestBody = 200;

ErrorCode code_of(int status) {
  switch (status) {
    case 401:
    case 403:
      return ErrorCode::kDenied;
    case 404:
    case 410:
      return ErrorCode::kNotFound;
    case 409:
    case 412:
      return ErrorCode::kConflict;
    default:
      return status == 408 || status == 429 || status >= 500 ? ErrorCode::kUnavailable : ErrorCode::kFailed;
  }
}

std::string message_of(const http::Response& response) {
  const Result<Json> document = parse_json(response.body);
  if (document.ok()) {
    if (const Json* error = find_member(document.value(), "error"))
      if (const std::string message = string_member(*error, "message"); !message.empty())
        return printable(message);
  }
  return printable(split(trim(response.body.substr(0, kLongestBody)), '\n').front());
}

std::string advice(int status) {
  if (status == 401) return "gcloud auth login";
  if (status == 403)
    return "gcloud storage buckets add-iam-policy-binding gs://BUCKET --member=YOU "
           "--role=roles/storage.objectAdmin";
  return "";
}

}  // namespace

Result<ObjectInfo> decode_object(const Json& document) {
  const auto generation = int_member(document, "generation");
  const auto size = int_member(document, "size");
  ObjectInfo info;
  info.name = string_member(document, "name");
  if (info.name.empty() || !generation || !size)
    return Error(ErrorCode::kFailed, "the answer of Cloud Storage describes no object");
  info.generation = *generation;
  info.size = static_cast<std::uint64_t>(*size);
  info.crc32c = parse_crc32c(string_member(document, "crc32c")).value_or(0);
  info.updated = parse_rfc3339(string_member(document, "updated")).value_or(info.updated);
  return info;
}

Result<ObjectInfo> decode_object(const http::Response& response) {
  TRY(const Json document, parse_json(response.body));
  return decode_object(document);
}

std::optional<std::uint32_t> parse_crc32c(const std::string& text) {
  const auto bytes = base64_decode(text);
  if (!bytes || bytes->size() != 4) return std::nullopt;
  std::uint32_t sum = 0;
  for (const char c : *bytes) sum = sum << 8 | static_cast<unsigned char>(c);
  return sum;
}

std::optional<std::uint32_t> crc32c_of_hash_header(const std::string& header) {
  for (const std::string& part : split(header, ',')) {
    const std::string_view word = trim(part);
    if (word.substr(0, 7) == "crc32c=") return parse_crc32c(std::string(word.substr(7)));
  }
  return std::nullopt;
}

Error to_error(const http::Response& response, const std::string& what) {
  return Error(code_of(response.status), what)
      .why(fmt::format("HTTP {}: {}", response.status, message_of(response)))
      .next(advice(response.status));
}

}  // namespace slipway::storage
