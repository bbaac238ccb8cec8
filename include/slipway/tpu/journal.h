#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "slipway/core/clock.h"
#include "slipway/core/result.h"
#include "slipway/tpu/call.h"

namespace slipway::tpu {

/// What is written down of one create or delete.
struct JournalEntry {
  std::string request_id;
  std::string content;                                ///< digest of what makes a repetition the same intent
  std::chrono::system_clock::time_point opened_at{};  ///< of this requestId
  std::chrono::system_clock::time_point since{};  ///< of the intent: earlier when an older id was given up
  bool resumed = false;                           ///< an earlier process opened it, and may have sent it
};

/// The requestIds of creates and deletes, each written down before it is sent: the same command after a crash
/// or a lost answer sends the same id, and the API answers with what it did the first time. One small file a
/// resource and verb, in the user's state folder.
class RequestJournal {
 public:
  /// `folder` is made (0700) when it is first written to. Empty: nothing is kept, every intent gets a new id.
  RequestJournal(std::string folder, const Clock& clock);

  /// The entry for this intent: an earlier one that is not closed, for the same endpoint, resource, verb and
  /// content, and younger than 55 minutes (Google promises to remember for 60). An older one gets a new id
  /// and keeps its `since`. It is on the disk when this returns. Two processes that open the same at once get
  /// the same id. Errors: kLocal.
  Result<JournalEntry> open(const std::string& endpoint, const std::string& verb,
                            const QueuedResourceName& name, const std::string& content);
  /// What is open for this resource and verb, whatever its content and age. What cannot be read is nothing.
  std::optional<JournalEntry> find(const std::string& endpoint, const std::string& verb,
                                   const QueuedResourceName& name) const;
  /// The outcome was seen; the id is not used again. An entry that another process opened since stays.
  void close(const std::string& endpoint, const std::string& verb, const QueuedResourceName& name,
             const std::string& request_id);
  /// The digest that an entry keeps of a content.
  static std::string digest(const std::string& content);

 private:
  std::string file_for(const std::string& endpoint, const std::string& verb,
                       const QueuedResourceName& name) const;
  void remove_old_files() const;

  std::string folder_;
  const Clock& clock_;
};

}  // namespace slipway::tpu
