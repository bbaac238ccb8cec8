#pragma once

#include <string>
#include <vector>

#include "emulator/storage_objects.h"
#include "emulator/storage_request.h"
#include "emulator/storage_upload.h"

namespace slipway::emulator {

/// The bucket that is there from the start.
inline constexpr const char* kDefaultBucket = "emulator-bucket";

/// The part of Cloud Storage's JSON API that jobs and `gcloud storage` use: buckets; objects by media,
/// multipart and resumable upload, read whole or by range, listed, patched, copied and deleted; preconditions
/// on all of them. Names travel in the path, never in the Host header. Several threads use it.
/// https://cloud.google.com/storage/docs/json_api/v1
class Storage {
 public:
  /// `clock` outlives it.
  Storage(std::string folder, const Clock& clock, std::string project);

  static bool serves(const std::string& path);
  HttpAnswer handle(const ApiRequest& request);

 private:
  struct Place;  ///< bucket, object and what else a path names
  using Handler = HttpAnswer (Storage::*)(const ApiRequest&, const Place&);
  struct Method;
  static const std::vector<Method>& methods();
  HttpAnswer dispatch(const ApiRequest& request, const Place& place);

  HttpAnswer list_buckets(const ApiRequest& request, const Place& place);
  HttpAnswer make_bucket(const ApiRequest& request, const Place& place);
  HttpAnswer get_bucket(const ApiRequest& request, const Place& place);
  HttpAnswer remove_bucket(const ApiRequest& request, const Place& place);
  HttpAnswer get_layout(const ApiRequest& request, const Place& place);
  HttpAnswer list(const ApiRequest& request, const Place& place);
  HttpAnswer get(const ApiRequest& request, const Place& place);
  HttpAnswer patch(const ApiRequest& request, const Place& place);
  HttpAnswer remove(const ApiRequest& request, const Place& place);
  HttpAnswer rewrite(const ApiRequest& request, const Place& place);
  HttpAnswer insert(const ApiRequest& request, const Place& place);
  HttpAnswer go_on(const ApiRequest& request, const Place& place);
  HttpAnswer cancel(const ApiRequest& request, const Place& place);

  HttpAnswer media(const ApiRequest& request, const Place& place, std::int64_t generation,
                   const Conditions& conditions) const;
  HttpAnswer begin_upload(const ApiRequest& request, const Place& place, const Conditions& conditions);
  HttpAnswer store(const ApiRequest& request, const UploadSession& upload, const std::string& session);

  ObjectStore store_;
  UploadSessions uploads_;
  std::string project_;
};

/// The JSON of one object and of one bucket. Their links lead to `host`: gcloud reads an object at its
/// mediaLink.
Json render_object(const StoredObject& object, const std::string& host);
Json render_bucket(const StoredBucket& bucket, const std::string& host);
std::string etag_of(const StoredObject& object);

}  // namespace slipway::emulator
