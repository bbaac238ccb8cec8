// The writes of a bucket: at once, or in chunks.
#include <algorithm>

#include "slipway/core/crc32c.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"
#include "storage/object_json.h"
#include "storage/write.h"

namespace slipway::storage {
namespace {

constexpr int kUnfinished = 308;
/// An upload whose session the server has forgotten is begun again, so often.
constexpr int kMostSessions = 3;

std::string crc32c_text(std::uint32_t sum) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(sum >> shift & 255);
  return base64_encode(bytes);
}

Json metadata_of(const std::string& name, const std::string& bytes, const std::string& content_type,
                 const std::string& mark) {
  return Json{{"name", name},
              {"contentType", content_type},
              {"crc32c", crc32c_text(crc32c(bytes))},
              {"metadata", Json{{kMarkKey, mark}}}};
}

// "bytes=0-N": so many bytes are with the server. Without the header: none.
std::size_t held_bytes(const http::Response& response) {
  const std::string range = response.header("range");
  const std::size_t dash = range.rfind('-');
  if (dash == std::string::npos) return 0;
  const Json number{{"is", range.substr(dash + 1)}};
  return static_cast<std::size_t>(int_member(number, "is").value_or(-1) + 1);
}

http::Request chunk_request(const std::string& session, const std::string& bytes, std::size_t begin,
                            std::size_t length) {
  http::Request request;
  request.method = "PUT";
  request.url = session;
  request.body = bytes.substr(begin, length);
  const std::string span = length == 0 ? "*" : fmt::format("{}-{}", begin, begin + length - 1);
  request.headers = {{"Content-Range", fmt::format("bytes {}/{}", span, bytes.size())}};
  request.idempotent = true;  // bytes that the server has already it takes once
  return request;
}

}  // namespace

std::string Bucket::upload_url(const std::string& type, const Condition& condition) const {
  std::string url = fmt::format("{}/upload/storage/v1/b/{}/o?uploadType={}", options_.endpoint,
                                http::percent_encode(name_), type);
  if (condition.generation()) url += fmt::format("&ifGenerationMatch={}", *condition.generation());
  return url;
}

Result<ObjectInfo> Bucket::put(const std::string& name, const std::string& bytes, const Condition& condition,
                               const std::string& content_type) {
  const Write write{name, bytes, condition, content_type, make_uuid()};
  return bytes.size() > options_.chunk ? put_in_chunks(write) : put_at_once(write);
}

Result<ObjectInfo> Bucket::put_at_once(const Write& write) {
  const std::string boundary = "slipway-" + write.mark;
  http::Request request;
  request.method = "POST";
  request.url = upload_url("multipart", write.condition);
  request.headers = {{"Content-Type", "multipart/related; boundary=" + boundary}};
  request.body = fmt::format(
      "--{0}\r\nContent-Type: application/json\r\n\r\n{1}\r\n--{0}\r\nContent-Type: {2}\r\n\r\n", boundary,
      dump_json(metadata_of(write.name, write.bytes, write.content_type, write.mark)), write.content_type);
  request.body += write.bytes;
  request.body += fmt::format("\r\n--{}--\r\n", boundary);
  request.idempotent = true;  // a second arrival is recognised by its mark
  return settle(write, send(std::move(request)));
}

Result<ObjectInfo> Bucket::settle(const Write& write, http::Outcome outcome) {
  const bool acted_before = outcome.earlier_try_may_have_acted;
  Result<http::Response> response = accepted(std::move(outcome), write.name);
  if (response.ok()) return decode_object(response.value());
  if (response.error().code() != ErrorCode::kConflict || !acted_before) return std::move(response).error();
  return recognise(write, std::move(response).error());
}

// A condition that does not hold, after a try whose answer was lost: did that try make it so?
Result<ObjectInfo> Bucket::recognise(const Write& write, Error conflict) {
  http::Request request;
  request.url = object_url(write.name);
  const Result<http::Response> response = accepted(send(std::move(request)), write.name);
  if (!response.ok()) return conflict;
  TRY(const Json document, parse_json(response->body));
  const Json* metadata = find_member(document, "metadata");
  if (metadata == nullptr || string_member(*metadata, kMarkKey) != write.mark) return conflict;
  return decode_object(document);
}

Result<ObjectInfo> Bucket::put_in_chunks(const Write& write) {
  for (int session = 1;; ++session) {
    TRY(const std::string url, begin_upload(write));
    Result<ObjectInfo> stored = go_on_with_upload(write, url);
    const bool forgotten = !stored.ok() && stored.error().code() == ErrorCode::kNotFound;
    if (!forgotten || session == kMostSessions) return stored;
  }
}

Result<std::string> Bucket::begin_upload(const Write& write) {
  http::Request request;
  request.method = "POST";
  request.url = upload_url("resumable", write.condition);
  request.headers = {{"Content-Type", "application/json"},
                     {"X-Upload-Content-Type", write.content_type},
                     {"X-Upload-Content-Length", std::to_string(write.bytes.size())}};
  request.body = dump_json(metadata_of(write.name, write.bytes, write.content_type, write.mark));
  request.idempotent = true;  // a session that nobody goes on with is forgotten
  TRY(const http::Response response, accepted(send(std::move(request)), write.name));
  const std::string session = response.header("location");
  if (!session.empty()) return session;  // send() asks of each address whether it may have the token
  return Error(ErrorCode::kFailed,
               fmt::format("gs://{}/{}: no address to upload to", name_, printable(write.name)));
}

// 308 says how far the server is; it may have less than was sent, or more than we know of.
Result<ObjectInfo> Bucket::go_on_with_upload(const Write& write, const std::string& session) {
  std::size_t held = 0;
  int stuck = 0;
  while (stuck <= kMostSessions) {
    const std::size_t length = std::min(options_.chunk, write.bytes.size() - held);
    http::Outcome outcome = send(chunk_request(session, write.bytes, held, length));
    if (!outcome.response.ok() || outcome.response->status != kUnfinished) {
      outcome.earlier_try_may_have_acted = true;  // of the chunks before, one may have been the last
      return settle(write, std::move(outcome));
    }
    const std::size_t now = held_bytes(*outcome.response);
    if (now > write.bytes.size()) break;
    stuck = now > held ? 0 : stuck + 1;
    held = now;
  }
  return Error(ErrorCode::kFailed,
               fmt::format("gs://{}/{}: the upload does not get on", name_, printable(write.name)))
      .why(fmt::format("{} of {} bytes are there", held, write.bytes.size()));
}

}  // namespace slipway::storage
