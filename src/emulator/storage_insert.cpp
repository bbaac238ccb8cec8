// The three ways in which an object's bytes come: at once, at once with metadata, and piece by piece.
#include "emulator/digest.h"
#include "emulator/storage_place.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr std::size_t kLongestName = 1'024;
constexpr const char* kUnknownType = "application/octet-stream";

std::string first_of(const std::string& one, const std::string& other) { return one.empty() ? other : one; }

StorageOutcome<StoredObject> make_draft(const ApiRequest& request, const std::string& bucket,
                                        const Json& declared, const std::string& body_type) {
  StoredObject draft;
  draft.bucket = bucket;
  draft.name = first_of(query_value(request, "name"), string_member(declared, "name"));
  if (draft.name.empty())
    return StorageError{400, "required", "Required parameter: name", "parameter", "name"};
  if (draft.name.size() > kLongestName || draft.name.find_first_of("\r\n") != std::string::npos ||
      draft.name == "." || draft.name == "..")
    return bad_request("The name of an object has at most 1024 bytes, none of them a line break.");
  draft.content_type = first_of(string_member(declared, "contentType"), first_of(body_type, kUnknownType));
  for (const char* key : {"cacheControl", "contentDisposition", "contentEncoding", "contentLanguage",
                          "customTime", "metadata"}) {
    if (const Json* value = find_member(declared, key)) draft.own[key] = *value;
  }
  if (const std::string encoding = query_value(request, "contentEncoding"); !encoding.empty())
    draft.own["contentEncoding"] = encoding;
  return draft;
}

// What the client says that it sends.
std::optional<StorageError> check_digests(const Json& declared, const std::string& bytes) {
  const std::string md5 = string_member(declared, "md5Hash");
  const std::string crc32c = string_member(declared, "crc32c");
  if (!md5.empty() && md5 != md5_text(bytes)) {
    return bad_request(fmt::format("Provided MD5 hash \"{}\" doesn't match calculated MD5 hash \"{}\".", md5,
                                   md5_text(bytes)));
  }
  if (!crc32c.empty() && crc32c != crc32c_text(bytes)) {
    return bad_request(fmt::format("Provided CRC32C \"{}\" doesn't match calculated CRC32C \"{}\".", crc32c,
                                   crc32c_text(bytes)));
  }
  return std::nullopt;
}

HttpAnswer unfinished(std::size_t held) {
  HttpAnswer answer{308, "", "text/html"};
  if (held > 0) answer.headers.emplace_back("Range", fmt::format("bytes=0-{}", held - 1));
  return answer;
}

}  // namespace

HttpAnswer Storage::store(const ApiRequest& request, const UploadSession& upload,
                          const std::string& session) {
  if (const auto error = check_digests(upload.declared, upload.bytes)) return error->answer();
  const auto put = store_.put(upload.draft, upload.bytes, upload.conditions);
  if (const auto* error = std::get_if<StorageError>(&put)) return error->answer();
  const auto& object = std::get<StoredObject>(put);
  if (!session.empty()) uploads_.finish(session, object);
  return as_http(200, render_object(object, request.host));
}

HttpAnswer Storage::insert(const ApiRequest& request, const Place& place) {
  Conditions conditions;
  if (const auto error = read_conditions(request, conditions)) return error->answer();
  const std::string type = query_value(request, "uploadType");
  if (type == "resumable") return begin_upload(request, place, conditions);
  MultipartUpload upload;
  if (type == "multipart") {
    auto read = read_multipart(header_value(request, "content-type"), request.body);
    if (const auto* error = std::get_if<StorageError>(&read)) return error->answer();
    upload = std::move(std::get<MultipartUpload>(read));
  } else if (type != "media") {
    return bad_parameter("uploadType", fmt::format("Invalid uploadType: '{}'", type)).answer();
  }
  const std::string body_type = type == "media" ? header_value(request, "content-type") : upload.content_type;
  const auto draft = make_draft(request, place.bucket, upload.metadata, body_type);
  if (const auto* error = std::get_if<StorageError>(&draft)) return error->answer();
  return store(request,
               {std::get<StoredObject>(draft), upload.metadata,
                type == "media" ? request.body : std::move(upload.bytes), conditions, std::nullopt},
               "");
}

HttpAnswer Storage::begin_upload(const ApiRequest& request, const Place& place,
                                 const Conditions& conditions) {
  Result<Json> declared = parse_json(trim(request.body).empty() ? "{}" : request.body);
  if (!declared.ok() || !declared->is_object()) return bad_request("The body is no JSON object.").answer();
  const auto draft =
      make_draft(request, place.bucket, *declared, header_value(request, "x-upload-content-type"));
  if (const auto* error = std::get_if<StorageError>(&draft)) return error->answer();
  const auto& object = std::get<StoredObject>(draft);
  if (const auto error = store_.check_put(object.bucket, object.name, conditions)) return error->answer();
  const std::string id = uploads_.begin({object, std::move(*declared), "", conditions, std::nullopt});
  HttpAnswer answer{200, "", "text/plain; charset=utf-8"};
  answer.headers = {
      {"Location", fmt::format("http://{}/upload/storage/v1/b/{}/o?uploadType=resumable&upload_id={}",
                               request.host, place.bucket, id)},
      {"X-GUploader-UploadID", id}};
  return answer;
}

HttpAnswer Storage::go_on(const ApiRequest& request, const Place&) {
  const std::string header = header_value(request, "content-range");
  const auto range = parse_content_range(header);
  if (!header.empty() && !range) return bad_request("Failed to parse Content-Range header.").answer();
  auto taken = uploads_.take(query_value(request, "upload_id"), range, request.body);
  if (const auto* error = std::get_if<StorageError>(&taken)) return error->answer();
  auto& step = std::get<UploadStep>(taken);
  if (step.done) return as_http(200, render_object(*step.done, request.host));
  if (!step.whole) return unfinished(step.held);
  return store(request, *step.whole, step.id);
}

HttpAnswer Storage::cancel(const ApiRequest& request, const Place&) {
  return uploads_.cancel(query_value(request, "upload_id")).answer();
}

}  // namespace slipway::emulator
