#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/random.h"
#include "slipway/core/secret.h"
#include "slipway/http/attempts.h"
#include "slipway/http/transport.h"

namespace slipway::storage {

/// What is known of an object.
struct ObjectInfo {
  std::string name;
  std::int64_t generation = 0;  ///< another one with every write
  std::uint64_t size = 0;
  std::uint32_t crc32c = 0;
  std::chrono::system_clock::time_point updated{};  ///< by the server's clock, the one that all writers share
};

struct Object {
  std::int64_t generation = 0;
  std::string bytes;
};

/// What has to hold for a write to happen: nothing, that there is no such object, or that it is still of a
/// generation that was read.
class Condition {
 public:
  static Condition none() { return Condition(std::nullopt); }
  static Condition absent() { return Condition(0); }
  static Condition unchanged(std::int64_t generation) { return Condition(generation); }
  /// The value of ifGenerationMatch.
  std::optional<std::int64_t> generation() const { return generation_; }

 private:
  explicit Condition(std::optional<std::int64_t> generation) : generation_(generation) {}
  std::optional<std::int64_t> generation_;
};

struct ListOptions {
  std::string prefix;
  std::string delimiter;     ///< names that go on behind one are folded into a prefix, as a folder
  std::string start_offset;  ///< the first name of interest
  std::size_t limit = 0;     ///< 0: all
};

struct Listing {
  std::vector<ObjectInfo> objects;    ///< in the order of their names' bytes
  std::vector<std::string> prefixes;  ///< each with its delimiter
};

/// Where tokens come from: a room below knows no credentials.
struct Tokens {
  std::function<Result<Secret>()> get;
  /// The server refused the last one (401); false when there is no other. May be empty.
  std::function<bool()> renew = {};
  std::string quota_project = {};  ///< X-Goog-User-Project; empty for none
};

/// $STORAGE_EMULATOR_HOST ("HOST:PORT" or a URL), else https://storage.googleapis.com.
std::string endpoint_from_environment();

struct BucketOptions {
  std::string endpoint = endpoint_from_environment();
  std::vector<std::string> allowed_hosts = {};  ///< that may be sent tokens, beside Google's and loopback
  /// All tries of one call together; for a large upload, of each of its chunks.
  std::chrono::milliseconds call_deadline{60'000};
  /// Larger objects are uploaded in chunks of this size, each of which can be sent again on its own. A
  /// multiple of 256 KiB.
  std::size_t chunk = std::size_t{8} << 20;
  std::function<void(const std::string&)> on_wait = {};  ///< told, now and then, why there is no answer yet
};

/// One bucket of Cloud Storage, through its JSON API. Every call is tried again until it has an answer that
/// stays, or until the deadline. Error codes: kDenied (401, 403; says which role is missing), kNotFound
/// (404), kConflict (the condition does not hold), kUnavailable (no answer, 429, 5xx to the end), kFailed
/// (what arrived is not what was sent; all else), kUsage (a host that must not have the token), kInterrupted.
class Bucket {
 public:
  /// Transport and clock outlive it.
  Bucket(http::Transport& transport, Clock& clock, Tokens tokens, std::string name,
         BucketOptions options = {}, RandomUnit random = system_random_unit());

  /// Writes the object once, also when answers are lost: each write has a mark of its own, by which a try
  /// that meets the object of an earlier one knows it.
  Result<ObjectInfo> put(const std::string& name, const std::string& bytes,
                         const Condition& condition = Condition::none(),
                         const std::string& content_type = "application/octet-stream");
  /// The whole object, compared with the server's CRC-32C. At most http::kMaxBody bytes.
  Result<Object> get(const std::string& name);
  /// get(), or nothing where there is no such object.
  Result<std::optional<Object>> find(const std::string& name);
  Result<ObjectInfo> stat(const std::string& name);
  /// All pages.
  Result<Listing> list(const ListOptions& options);
  /// False when there was no such object.
  Result<bool> remove(const std::string& name, const Condition& condition = Condition::none());

  /// What an object is to become, from what it is now (nothing: there is none); nothing to leave it.
  using Change = std::function<Result<std::optional<std::string>>(const std::optional<Object>&)>;
  /// Reads, changes and writes, again from the start when somebody else was faster, after a pause that grows
  /// and is never the same for two. False when `change` left it as it was. Errors: kConflict when somebody
  /// else was always faster.
  Result<bool> update(const std::string& name, const Change& change);

  const std::string& name() const { return name_; }

 private:
  struct Write;

  std::string object_url(const std::string& name) const;
  std::string upload_url(const std::string& type, const Condition& condition) const;
  http::AttemptLimits limits() const;
  http::Outcome send(http::Request request);
  http::Outcome send_with_token(const http::Request& request);
  Result<http::Response> accepted(http::Outcome outcome, const std::string& name) const;

  Result<ObjectInfo> put_at_once(const Write& write);
  Result<ObjectInfo> put_in_chunks(const Write& write);
  Result<std::string> begin_upload(const Write& write);
  Result<ObjectInfo> go_on_with_upload(const Write& write, const std::string& session);
  Result<ObjectInfo> settle(const Write& write, http::Outcome outcome);
  Result<ObjectInfo> recognise(const Write& write, Error conflict);

  http::Transport& transport_;
  Clock& clock_;
  Tokens tokens_;
  std::string name_;
  BucketOptions options_;
  RandomUnit random_;
};

}  // namespace slipway::storage
