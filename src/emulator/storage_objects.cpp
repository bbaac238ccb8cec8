#include "emulator/storage_objects.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "emulator/digest.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

bool holds(const StoredObject* live, const Conditions& conditions) {
  const std::int64_t generation = live == nullptr ? 0 : live->generation;
  const std::int64_t metageneration = live == nullptr ? 0 : live->metageneration;
  return generation == conditions.generation_match.value_or(generation) &&
         metageneration == conditions.metageneration_match.value_or(metageneration);
}

bool differs(const StoredObject* live, const Conditions& conditions) {
  const std::int64_t generation = live == nullptr ? 0 : live->generation;
  const std::int64_t metageneration = live == nullptr ? 0 : live->metageneration;
  return conditions.generation_not_match != generation &&
         conditions.metageneration_not_match != metageneration;
}

std::optional<StorageError> check_write(const StoredObject* live, const Conditions& conditions) {
  if (holds(live, conditions) && differs(live, conditions)) return std::nullopt;
  return condition_not_met();
}

}  // namespace

ObjectStore::ObjectStore(std::string folder, const Clock& clock) : folder_(std::move(folder)), clock_(clock) {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  std::filesystem::create_directories(folder_, ignored);  // if that fails, the first write says why
}

StorageOutcome<StoredBucket> ObjectStore::add_bucket(const std::string& name, const Json& own) {
  const std::lock_guard lock(mutex_);
  if (buckets_.count(name) != 0) {
    return StorageError{409, "conflict",
                        "Your previous request to create the named bucket succeeded and you already own it."};
  }
  Bucket& bucket = buckets_[name];
  bucket.about = {name, own, clock_.wall_now()};
  return bucket.about;
}

StorageOutcome<StoredBucket> ObjectStore::bucket(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(name);
  if (found == buckets_.end()) return no_such_bucket();
  return found->second.about;
}

std::vector<StoredBucket> ObjectStore::buckets() const {
  const std::lock_guard lock(mutex_);
  std::vector<StoredBucket> all;
  for (const auto& [name, bucket] : buckets_) all.push_back(bucket.about);
  return all;
}

std::optional<StorageError> ObjectStore::remove_bucket(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(name);
  if (found == buckets_.end()) return no_such_bucket();
  if (!found->second.objects.empty())
    return StorageError{409, "conflict", "The bucket you tried to delete is not empty."};
  buckets_.erase(found);
  return std::nullopt;
}

const StoredObject* ObjectStore::live(const Bucket& bucket, const std::string& name) {
  const auto found = bucket.objects.find(name);
  return found == bucket.objects.end() ? nullptr : &found->second;
}

// Outside of the lock: a large object must not hold up small ones.
StorageOutcome<std::string> ObjectStore::write(const std::string& bytes) {
  std::string path;
  {
    const std::lock_guard lock(mutex_);
    path = fmt::format("{}/draft-{}", folder_, ++drafts_);
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.flush()) return path;
  ::unlink(path.c_str());
  return storage_error_of(503, fmt::format("this emulator cannot write '{}'", path));
}

StorageOutcome<StoredObject> ObjectStore::put(StoredObject draft, const std::string& bytes,
                                              const Conditions& conditions) {
  draft.size = bytes.size();
  draft.md5 = md5_text(bytes);
  draft.crc32c = crc32c_text(bytes);
  StorageOutcome<std::string> written = write(bytes);
  if (auto* error = std::get_if<StorageError>(&written)) return *error;
  const std::string& path = std::get<std::string>(written);

  const std::lock_guard lock(mutex_);
  const auto bucket = buckets_.find(draft.bucket);
  std::optional<StorageError> refused =
      bucket == buckets_.end() ? no_such_bucket() : check_write(live(bucket->second, draft.name), conditions);
  draft.created = draft.updated = clock_.wall_now();
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(draft.created.time_since_epoch()).count();
  draft.generation = std::max(last_generation_ + 1, micros);
  draft.file = fmt::format("{}/{}", folder_, draft.generation);
  if (!refused && ::rename(path.c_str(), draft.file.c_str()) != 0)
    refused = storage_error_of(503, fmt::format("this emulator cannot write '{}'", draft.file));
  if (refused) {
    ::unlink(path.c_str());
    return *refused;
  }
  last_generation_ = draft.generation;
  if (const StoredObject* old = live(bucket->second, draft.name)) ::unlink(old->file.c_str());
  bucket->second.objects[draft.name] = draft;
  return draft;
}

std::optional<StorageError> ObjectStore::check_put(const std::string& bucket, const std::string& name,
                                                   const Conditions& conditions) const {
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(bucket);
  if (found == buckets_.end()) return no_such_bucket();
  return check_write(live(found->second, name), conditions);
}

StorageOutcome<StoredObject> ObjectStore::look_up(const std::string& bucket, const std::string& name,
                                                  std::int64_t generation,
                                                  const Conditions& conditions) const {
  const auto found = buckets_.find(bucket);
  if (found == buckets_.end()) return no_such_bucket();
  const StoredObject* object = live(found->second, name);
  if (object == nullptr || (generation != 0 && generation != object->generation))
    return no_such_object(bucket, name);
  if (!holds(object, conditions)) return condition_not_met();
  if (!differs(object, conditions)) return StorageError{304, "notModified", "Not Modified"};
  return *object;
}

StorageOutcome<StoredObject> ObjectStore::find(const std::string& bucket, const std::string& name,
                                               std::int64_t generation, const Conditions& conditions) const {
  const std::lock_guard lock(mutex_);
  return look_up(bucket, name, generation, conditions);
}

// The file is opened under the lock and read without it: whoever has it open still reads what was unlinked.
StorageOutcome<ObjectStore::Content> ObjectStore::read(const std::string& bucket, const std::string& name,
                                                       std::int64_t generation,
                                                       const Conditions& conditions) const {
  Content content;
  std::ifstream file;
  {
    const std::lock_guard lock(mutex_);
    StorageOutcome<StoredObject> found = look_up(bucket, name, generation, conditions);
    if (auto* error = std::get_if<StorageError>(&found)) return *error;
    content.object = std::move(std::get<StoredObject>(found));
    file.open(content.object.file, std::ios::binary);
  }
  content.bytes.resize(content.object.size);
  file.read(content.bytes.data(), static_cast<std::streamsize>(content.bytes.size()));
  if (file) return content;
  return storage_error_of(503, fmt::format("this emulator cannot read '{}'", content.object.file));
}

StorageOutcome<StoredObject> ObjectStore::patch(const std::string& bucket, const std::string& name,
                                                const Json& changes, const Conditions& conditions) {
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(bucket);
  if (found == buckets_.end()) return no_such_bucket();
  const auto object = found->second.objects.find(name);
  if (object == found->second.objects.end()) return no_such_object(bucket, name);
  if (auto refused = check_write(&object->second, conditions)) return *refused;
  StoredObject& changed = object->second;
  changed.own.merge_patch(changes);
  changed.content_type = changed.own.value("contentType", changed.content_type);
  changed.own.erase("contentType");
  ++changed.metageneration;
  changed.updated = clock_.wall_now();
  return changed;
}

std::optional<StorageError> ObjectStore::remove(const std::string& bucket, const std::string& name,
                                                std::int64_t generation, const Conditions& conditions) {
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(bucket);
  if (found == buckets_.end()) return no_such_bucket();
  const StoredObject* object = live(found->second, name);
  if (object == nullptr || (generation != 0 && generation != object->generation))
    return no_such_object(bucket, name);
  if (auto refused = check_write(object, conditions)) return refused;
  ::unlink(object->file.c_str());
  found->second.objects.erase(name);
  return std::nullopt;
}

}  // namespace slipway::emulator
