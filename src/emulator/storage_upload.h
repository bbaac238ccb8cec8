#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "emulator/storage_objects.h"

namespace slipway::emulator {

/// The two parts of a multipart/related upload: what is known of the object, and its bytes.
struct MultipartUpload {
  Json metadata = Json::object();
  std::string content_type;
  std::string bytes;
};
/// Reads line ends of both kinds and boundaries in either kind of quotes: gcloud 528 sends bare LF and 'x'.
StorageOutcome<MultipartUpload> read_multipart(const std::string& content_type, const std::string& body);

/// The Content-Range header of an upload: "bytes 0-9/20", "bytes 0-9/*", "bytes */20", "bytes */*".
struct ContentRange {
  std::optional<std::size_t> begin;  ///< nothing: a question for how far the upload is
  std::size_t end = 0;               ///< one behind the last byte
  std::optional<std::size_t> total;
};
std::optional<ContentRange> parse_content_range(const std::string& header);

/// An upload that goes on over several requests.
/// https://cloud.google.com/storage/docs/performing-resumable-uploads
struct UploadSession {
  StoredObject draft;
  Json declared;  ///< the metadata that came with the first request: its digests are checked at the end
  std::string bytes;
  Conditions conditions;
  std::optional<StoredObject> done;
};

/// What came of one request to a session.
struct UploadStep {
  std::string id;
  std::size_t held = 0;                ///< bytes that need not be sent again
  std::optional<UploadSession> whole;  ///< all bytes are there: to be stored
  std::optional<StoredObject> done;    ///< it was stored already
};

/// The resumable uploads that were begun, each under an id that cannot be guessed. Several threads use it.
class UploadSessions {
 public:
  std::string begin(UploadSession session);
  /// Takes the bytes of one request. `range` nothing: the body is all that is still missing.
  StorageOutcome<UploadStep> take(const std::string& id, const std::optional<ContentRange>& range,
                                  const std::string& body);
  void finish(const std::string& id, const StoredObject& object);
  /// 499, as Cloud Storage answers; 404 for an unknown one.
  StorageError cancel(const std::string& id);

 private:
  std::mutex mutex_;
  std::map<std::string, UploadSession> sessions_;
};

}  // namespace slipway::emulator
