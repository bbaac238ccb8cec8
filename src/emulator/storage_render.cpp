#include "emulator/storage.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

void add_own(Json& document, const Json& own) {
  for (const auto& [key, value] : own.items()) document[key] = value;
}

std::string etag(std::int64_t generation, std::int64_t metageneration) {
  return base64_encode(fmt::format("{:x}.{:x}", generation, metageneration));
}

}  // namespace

std::string etag_of(const StoredObject& object) { return etag(object.generation, object.metageneration); }

Json render_object(const StoredObject& object, const std::string& host) {
  const std::string path = fmt::format("storage/v1/b/{}/o/{}", object.bucket, percent_encoded(object.name));
  const std::string created = format_rfc3339(object.created);
  Json document{{"kind", "storage#object"},
                {"id", fmt::format("{}/{}/{}", object.bucket, object.name, object.generation)},
                {"selfLink", fmt::format("http://{}/{}", host, path)},
                {"mediaLink",
                 fmt::format("http://{}/download/{}?generation={}&alt=media", host, path, object.generation)},
                {"name", object.name},
                {"bucket", object.bucket},
                {"generation", std::to_string(object.generation)},
                {"metageneration", std::to_string(object.metageneration)},
                {"contentType", object.content_type},
                {"storageClass", "STANDARD"},
                {"size", std::to_string(object.size)},
                {"md5Hash", object.md5},
                {"crc32c", object.crc32c},
                {"etag", etag_of(object)},
                {"timeCreated", created},
                {"updated", format_rfc3339(object.updated)},
                {"timeStorageClassUpdated", created}};
  add_own(document, object.own);
  return document;
}

Json render_bucket(const StoredBucket& bucket, const std::string& host) {
  const std::string created = format_rfc3339(bucket.created);
  Json document{{"kind", "storage#bucket"},
                {"id", bucket.name},
                {"selfLink", fmt::format("http://{}/storage/v1/b/{}", host, bucket.name)},
                {"name", bucket.name},
                {"projectNumber", "123456789012"},
                {"metageneration", "1"},
                {"location", "US-CENTRAL2"},
                {"locationType", "region"},
                {"storageClass", "STANDARD"},
                {"etag", etag(1, 1)},
                {"timeCreated", created},
                {"updated", created},
                {"iamConfiguration", Json{{"uniformBucketLevelAccess", Json{{"enabled", true}}}}}};
  add_own(document, bucket.own);
  return document;
}

}  // namespace slipway::emulator
