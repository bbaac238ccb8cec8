#include "emulator/storage_place.h"

#include <algorithm>

namespace slipway::emulator {

std::optional<Storage::Place> Storage::Place::of(const std::vector<std::string>& segments) {
  auto at = std::find(segments.begin(), segments.end(), "storage");
  const bool is_upload = std::find(segments.begin(), at, "upload") != at;
  if (segments.end() - at < 3 || at[2] != "b") return std::nullopt;
  const std::vector<std::string> rest(at + 3, segments.end());  // behind /storage/v1/b
  if (std::find(rest.begin(), rest.end(), "") != rest.end()) return std::nullopt;
  const auto is = [&](std::size_t index, const char* word) { return rest[index] == word; };
  Place place;
  if (!rest.empty()) place.bucket = rest[0];
  if (rest.size() >= 3) place.object = rest[2];
  if (is_upload) {
    place.kind = Kind::kUpload;
    return rest.size() == 2 && is(1, "o") ? std::optional(place) : std::nullopt;
  }
  if (rest.empty()) return place;
  if (rest.size() == 1) {
    place.kind = Kind::kBucket;
  } else if (rest.size() == 2 && is(1, "storageLayout")) {
    place.kind = Kind::kLayout;
  } else if (!is(1, "o")) {
    return std::nullopt;
  } else if (rest.size() == 2) {
    place.kind = Kind::kObjects;
  } else if (rest.size() == 3) {
    place.kind = Kind::kObject;
  } else if (rest.size() == 8 && (is(3, "rewriteTo") || is(3, "copyTo")) && is(4, "b") && is(6, "o")) {
    place.kind = is(3, "copyTo") ? Kind::kCopy : Kind::kRewrite;
    place.other_bucket = rest[5];
    place.other_object = rest[7];
  } else {
    return std::nullopt;
  }
  return place;
}

}  // namespace slipway::emulator
