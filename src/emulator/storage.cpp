#include "emulator/storage.h"

#include "emulator/storage_place.h"
#include "slipway/core/format.h"

namespace slipway::emulator {

struct Storage::Method {
  std::string_view http;
  Place::Kind kind;
  Handler handler;
  std::set<std::string_view> parameters = {};
};

const std::vector<Storage::Method>& Storage::methods() {
  using At = Place::Kind;
  static const std::set<std::string_view> conditions = {
      "ifGenerationMatch",        "ifGenerationNotMatch", "ifMetagenerationMatch",
      "ifMetagenerationNotMatch", "generation",           "softDeleted"};
  static const std::set<std::string_view> insertion = {"ifGenerationMatch",     "ifGenerationNotMatch",
                                                       "ifMetagenerationMatch", "ifMetagenerationNotMatch",
                                                       "contentEncoding",       "name"};
  static const std::set<std::string_view> copying = {
      "ifGenerationMatch",           "ifGenerationNotMatch",           "ifMetagenerationMatch",
      "ifMetagenerationNotMatch",    "ifSourceGenerationMatch",        "ifSourceGenerationNotMatch",
      "ifSourceMetagenerationMatch", "ifSourceMetagenerationNotMatch", "sourceGeneration",
      "destinationPredefinedAcl",    "maxBytesRewrittenPerCall",       "rewriteToken"};
  static const std::vector<Method> all = {
      {"GET", At::kBuckets, &Storage::list_buckets, {"project", "prefix", "maxResults", "pageToken"}},
      {"POST",
       At::kBuckets,
       &Storage::make_bucket,
       {"project", "predefinedDefaultObjectAcl", "enableObjectRetention"}},
      {"GET", At::kBucket, &Storage::get_bucket, {"ifMetagenerationMatch", "generation", "softDeleted"}},
      {"DELETE", At::kBucket, &Storage::remove_bucket, {"ifMetagenerationMatch"}},
      {"GET", At::kLayout, &Storage::get_layout, {"prefix"}},
      {"GET",
       At::kObjects,
       &Storage::list,
       {"prefix", "delimiter", "startOffset", "endOffset", "includeTrailingDelimiter", "maxResults",
        "pageToken", "versions", "softDeleted", "includeFoldersAsPrefixes"}},
      {"GET", At::kObject, &Storage::get, conditions},
      {"PATCH", At::kObject, &Storage::patch, conditions},
      {"DELETE", At::kObject, &Storage::remove, conditions},
      {"POST", At::kRewrite, &Storage::rewrite, copying},
      {"POST", At::kCopy, &Storage::rewrite, copying},
      {"POST", At::kUpload, &Storage::insert, insertion},
      {"PUT", At::kUpload, &Storage::go_on, insertion},
      {"DELETE", At::kUpload, &Storage::cancel, insertion},
  };
  return all;
}

Storage::Storage(std::string folder, const Clock& clock, std::string project)
    : store_(std::move(folder), clock), project_(std::move(project)) {
  store_.add_bucket(kDefaultBucket, Json::object());
}

bool Storage::serves(const std::string& path) {
  for (const std::string_view root :
       {"/storage/v1/", "/upload/storage/v1/", "/resumable/upload/storage/v1/", "/download/storage/v1/"}) {
    if (path.compare(0, root.size(), root) == 0) return true;
  }
  return false;
}

HttpAnswer Storage::handle(const ApiRequest& request) {
  const auto segments = decoded_segments(request.target);
  if (!segments) return bad_request("Malformed path.").answer();
  const std::optional<Place> place = Place::of(*segments);
  if (!place) return storage_error_of(404, fmt::format("Not Found: {}", request.path)).answer();
  return dispatch(request, *place);
}

HttpAnswer Storage::dispatch(const ApiRequest& request, const Place& place) {
  for (const Method& method : methods()) {
    if (method.http != request.method || method.kind != place.kind) continue;
    if (const auto error = check_parameters(request, method.parameters)) return error->answer();
    return (this->*method.handler)(request, place);
  }
  return storage_error_of(405, fmt::format("{} is not supported for {}", request.method, request.path))
      .answer();
}

}  // namespace slipway::emulator
