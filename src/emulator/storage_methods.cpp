// The methods that read, list, change and delete; those that bring bytes are in storage_insert.cpp.
#include <algorithm>

#include "emulator/create_request.h"
#include "emulator/storage_place.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

const std::set<std::string_view>& settable() {
  static const std::set<std::string_view> all = {"cacheControl",    "contentDisposition", "contentEncoding",
                                                 "contentLanguage", "contentType",        "customTime",
                                                 "metadata"};
  return all;
}

std::optional<StorageError> read_document(const ApiRequest& request, Json& document) {
  Result<Json> parsed = parse_json(request.body.empty() ? "{}" : request.body);
  if (!parsed.ok() || !parsed->is_object()) return bad_request("The body is no JSON object.");
  document = std::move(*parsed);
  return std::nullopt;
}

bool is_bucket_name(const std::string& name) {
  return name.size() >= 3 && name.size() <= 222 && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
         });
}

}  // namespace

HttpAnswer Storage::list_buckets(const ApiRequest& request, const Place&) {
  const std::string prefix = query_value(request, "prefix");
  Json answer{{"kind", "storage#buckets"}};
  for (const StoredBucket& bucket : store_.buckets()) {
    if (bucket.name.compare(0, prefix.size(), prefix) == 0)
      answer["items"].push_back(render_bucket(bucket, request.host));
  }
  return as_http(200, answer);
}

HttpAnswer Storage::make_bucket(const ApiRequest& request, const Place&) {
  if (query_value(request, "project") != project_) {
    return storage_error_of(403, fmt::format("This emulator has the project {} only.", project_)).answer();
  }
  Json document;
  if (const auto error = read_document(request, document)) return error->answer();
  const std::string name = string_member(document, "name");
  if (!is_bucket_name(name)) return bad_request(fmt::format("Invalid bucket name: '{}'", name)).answer();
  Json own = Json::object();
  for (const char* key : {"location", "storageClass", "labels"}) {
    if (const Json* value = find_member(document, key)) own[key] = *value;
  }
  const auto made = store_.add_bucket(name, own);
  if (const auto* error = std::get_if<StorageError>(&made)) return error->answer();
  return as_http(200, render_bucket(std::get<StoredBucket>(made), request.host));
}

HttpAnswer Storage::get_bucket(const ApiRequest& request, const Place& place) {
  const auto found = store_.bucket(place.bucket);
  if (const auto* error = std::get_if<StorageError>(&found)) return error->answer();
  return as_http(200, render_bucket(std::get<StoredBucket>(found), request.host));
}

HttpAnswer Storage::remove_bucket(const ApiRequest&, const Place& place) {
  if (const auto error = store_.remove_bucket(place.bucket)) return error->answer();
  return {204, ""};
}

// gcloud asks before it copies: whether folders are things of their own here. They are not.
HttpAnswer Storage::get_layout(const ApiRequest&, const Place& place) {
  const auto found = store_.bucket(place.bucket);
  if (const auto* error = std::get_if<StorageError>(&found)) return error->answer();
  return as_http(200, Json{{"kind", "storage#storageLayout"},
                           {"bucket", place.bucket},
                           {"location", "US-CENTRAL2"},
                           {"locationType", "region"},
                           {"hierarchicalNamespace", Json{{"enabled", false}}}});
}

HttpAnswer Storage::list(const ApiRequest& request, const Place& place) {
  ObjectQuery query;
  if (const auto error = read_object_query(request, query)) return error->answer();
  const auto found = store_.list(place.bucket, query);
  if (const auto* error = std::get_if<StorageError>(&found)) return error->answer();
  const auto& page = std::get<ObjectPage>(found);
  Json answer{{"kind", "storage#objects"}};
  if (!page.last.empty()) answer["nextPageToken"] = page_token(page.last);
  if (!page.prefixes.empty()) answer["prefixes"] = page.prefixes;
  for (const StoredObject& object : page.objects)
    answer["items"].push_back(render_object(object, request.host));
  return as_http(200, answer);
}

HttpAnswer Storage::get(const ApiRequest& request, const Place& place) {
  std::int64_t generation = 0;
  Conditions conditions;
  if (const auto error = read_number(request, "generation", generation)) return error->answer();
  if (const auto error = read_conditions(request, conditions)) return error->answer();
  if (query_value(request, "alt") == "media") return media(request, place, generation, conditions);
  const auto found = store_.find(place.bucket, place.object, generation, conditions);
  if (const auto* error = std::get_if<StorageError>(&found)) return error->answer();
  return as_http(200, render_object(std::get<StoredObject>(found), request.host));
}

HttpAnswer Storage::media(const ApiRequest& request, const Place& place, std::int64_t generation,
                          const Conditions& conditions) const {
  auto found = store_.read(place.bucket, place.object, generation, conditions);
  if (const auto* error = std::get_if<StorageError>(&found)) return error->answer();
  auto& [object, bytes] = std::get<ObjectStore::Content>(found);
  const auto range = read_range(header_value(request, "range"), bytes.size());
  if (const auto* error = std::get_if<StorageError>(&range)) return error->answer();
  const auto [begin, end] = std::get<ByteRange>(range);

  HttpAnswer answer{200, "", object.content_type};
  answer.headers = {{"X-Goog-Generation", std::to_string(object.generation)},
                    {"X-Goog-Metageneration", std::to_string(object.metageneration)},
                    {"X-Goog-Stored-Content-Length", std::to_string(object.size)},
                    {"X-Goog-Hash", "crc32c=" + object.crc32c},
                    {"X-Goog-Hash", "md5=" + object.md5},
                    {"ETag", etag_of(object)}};
  if (end - begin < bytes.size()) {
    answer.status = 206;
    answer.headers.emplace_back("Content-Range", fmt::format("bytes {}-{}/{}", begin, end - 1, bytes.size()));
    bytes = bytes.substr(begin, end - begin);
  }
  answer.body = std::move(bytes);
  return answer;
}

HttpAnswer Storage::patch(const ApiRequest& request, const Place& place) {
  Conditions conditions;
  if (const auto error = read_conditions(request, conditions)) return error->answer();
  Json document;
  if (const auto error = read_document(request, document)) return error->answer();
  Json changes = Json::object();  // the rest is for the server to set, and ignored as there
  for (const auto& [key, value] : document.items()) {
    if (settable().count(key) != 0) changes[key] = value;
  }
  const auto changed = store_.patch(place.bucket, place.object, changes, conditions);
  if (const auto* error = std::get_if<StorageError>(&changed)) return error->answer();
  return as_http(200, render_object(std::get<StoredObject>(changed), request.host));
}

HttpAnswer Storage::remove(const ApiRequest& request, const Place& place) {
  std::int64_t generation = 0;
  Conditions conditions;
  if (const auto error = read_number(request, "generation", generation)) return error->answer();
  if (const auto error = read_conditions(request, conditions)) return error->answer();
  if (const auto error = store_.remove(place.bucket, place.object, generation, conditions))
    return error->answer();
  return {204, ""};
}

// A copy is done at once, so no rewrite ever needs a second call.
HttpAnswer Storage::rewrite(const ApiRequest& request, const Place& place) {
  std::int64_t generation = 0;
  Conditions source_conditions;
  Conditions conditions;
  if (const auto error = read_number(request, "sourceGeneration", generation)) return error->answer();
  if (const auto error = read_conditions(request, source_conditions, "ifSource")) return error->answer();
  if (const auto error = read_conditions(request, conditions)) return error->answer();
  Json changes;
  if (const auto error = read_document(request, changes)) return error->answer();
  const auto found = store_.read(place.bucket, place.object, generation, source_conditions);
  if (const auto* error = std::get_if<StorageError>(&found)) return error->answer();
  const auto& [source, bytes] = std::get<ObjectStore::Content>(found);
  StoredObject draft = source;
  draft.bucket = place.other_bucket;
  draft.name = place.other_object;
  draft.metageneration = 1;
  draft.content_type = changes.value("contentType", source.content_type);
  for (const auto& [key, value] : changes.items()) {
    if (settable().count(key) != 0 && key != "contentType") draft.own[key] = value;
  }
  const auto put = store_.put(std::move(draft), bytes, conditions);
  if (const auto* error = std::get_if<StorageError>(&put)) return error->answer();
  const auto& copy = std::get<StoredObject>(put);
  if (place.kind == Place::Kind::kCopy) return as_http(200, render_object(copy, request.host));
  return as_http(200, Json{{"kind", "storage#rewriteResponse"},
                           {"totalBytesRewritten", std::to_string(copy.size)},
                           {"objectSize", std::to_string(copy.size)},
                           {"done", true},
                           {"resource", render_object(copy, request.host)}});
}

}  // namespace slipway::emulator
