#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "emulator/storage_error.h"
#include "slipway/core/clock.h"

namespace slipway::emulator {

/// What is known of one object: its live generation, the only one that is kept.
struct StoredObject {
  std::string bucket;
  std::string name;
  std::string content_type;
  Json own = Json::object();  ///< what the client may set: metadata, cacheControl, contentEncoding, ..
  std::int64_t generation = 0;
  std::int64_t metageneration = 1;
  std::size_t size = 0;
  std::string md5;     ///< base64
  std::string crc32c;  ///< base64
  std::chrono::system_clock::time_point created{};
  std::chrono::system_clock::time_point updated{};
  std::string file;  ///< its bytes
};

struct StoredBucket {
  std::string name;
  Json own = Json::object();  ///< location, storageClass, labels, ..
  std::chrono::system_clock::time_point created{};
};

/// The preconditions of a request. A generation of 0 stands for "there is none".
struct Conditions {
  std::optional<std::int64_t> generation_match;
  std::optional<std::int64_t> generation_not_match;
  std::optional<std::int64_t> metageneration_match;
  std::optional<std::int64_t> metageneration_not_match;
};

/// What of a bucket is listed, by the API's names.
struct ObjectQuery {
  std::string prefix;
  std::string delimiter;
  std::string start_offset;  ///< the first name that may be listed
  std::string end_offset;    ///< the first that may not; empty for no end
  bool trailing_delimiter = false;
  std::size_t max_results = 1'000;
  std::string after;  ///< the last name or prefix of the page before
};

struct ObjectPage {
  std::vector<StoredObject> objects;
  std::vector<std::string> prefixes;
  std::string last;  ///< for the page after this one; empty when this is the last
};

/// Buckets and objects. What is known of them is in memory, their bytes are files of a folder, each written
/// beside and renamed; a reader that has opened one sees it whole, whatever happens to the object. Several
/// threads use it; a precondition and what it guards are one step.
class ObjectStore {
 public:
  /// `folder` is emptied: what it holds lives as long as the emulator. `clock` outlives the store.
  ObjectStore(std::string folder, const Clock& clock);

  StorageOutcome<StoredBucket> add_bucket(const std::string& name, const Json& own);
  StorageOutcome<StoredBucket> bucket(const std::string& name) const;
  std::vector<StoredBucket> buckets() const;
  /// 409 when objects are in it.
  std::optional<StorageError> remove_bucket(const std::string& name);

  /// Stores `bytes` as the new generation of draft.bucket / draft.name.
  StorageOutcome<StoredObject> put(StoredObject draft, const std::string& bytes,
                                   const Conditions& conditions);
  /// What put() would refuse now, for an upload that only begins.
  std::optional<StorageError> check_put(const std::string& bucket, const std::string& name,
                                        const Conditions& conditions) const;
  /// `generation` 0: the live one. A condition "not match" that fails is 304 here, for nothing has changed.
  StorageOutcome<StoredObject> find(const std::string& bucket, const std::string& name,
                                    std::int64_t generation, const Conditions& conditions) const;
  struct Content {
    StoredObject object;
    std::string bytes;
  };
  /// find(), with the bytes of just that generation, however fast others write.
  StorageOutcome<Content> read(const std::string& bucket, const std::string& name, std::int64_t generation,
                               const Conditions& conditions) const;
  /// Sets what `changes` has, takes away what it has as null, and counts the metageneration on.
  StorageOutcome<StoredObject> patch(const std::string& bucket, const std::string& name, const Json& changes,
                                     const Conditions& conditions);
  std::optional<StorageError> remove(const std::string& bucket, const std::string& name,
                                     std::int64_t generation, const Conditions& conditions);
  StorageOutcome<ObjectPage> list(const std::string& bucket, const ObjectQuery& query) const;

 private:
  struct Bucket {
    StoredBucket about;
    std::map<std::string, StoredObject> objects;
  };
  /// The live object, or null; the bucket has to be there.
  static const StoredObject* live(const Bucket& bucket, const std::string& name);
  /// find(), for who holds the lock.
  StorageOutcome<StoredObject> look_up(const std::string& bucket, const std::string& name,
                                       std::int64_t generation, const Conditions& conditions) const;
  StorageOutcome<std::string> write(const std::string& bytes);

  std::string folder_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, Bucket> buckets_;
  std::int64_t last_generation_ = 0;
  std::int64_t drafts_ = 0;
};

}  // namespace slipway::emulator
