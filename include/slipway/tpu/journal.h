#pragma once

#include <optional>
#include <string>

#include "slipway/core/clock.h"
#include "slipway/core/result.h"
#include "slipway/tpu/call.h"

namespace slipway::tpu {

/// The requestIds of creates and deletes, each written down before it is sent: the same command after a crash
/// or a lost answer sends the same id, and the API answers with what it did the first time. One small file a
/// resource and verb, in the user's state folder.
class RequestJournal {
 public:
  /// `folder` is made (0700) when it is first written to. Empty: nothing is kept, every intent gets a new id.
  RequestJournal(std::string folder, const Clock& clock);

  /// The id for this intent: an earlier one that is not closed, for the same endpoint, resource, verb and
  /// content, and younger than 55 minutes (Google promises to remember for 60); else a new one. It is on the
  /// disk when this returns. Errors: kLocal.
  Result<std::string> open(const std::string& endpoint, const std::string& verb,
                           const QueuedResourceName& name, const std::string& content);
  /// The outcome was seen; the id is not used again.
  void close(const std::string& endpoint, const std::string& verb, const QueuedResourceName& name);

 private:
  std::string file_for(const std::string& endpoint, const std::string& verb,
                       const QueuedResourceName& name) const;

  std::string folder_;
  const Clock& clock_;
};

}  // namespace slipway::tpu
