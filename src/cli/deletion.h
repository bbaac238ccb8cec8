#pragma once

#include <optional>
#include <string>

#include "cli/countdown.h"
#include "cli/intent.h"
#include "slipway/model/operation.h"

namespace slipway::cli {

enum class Force { kNo, kYes };

/// The end of one queued resource: of the very one that was looked at, by its createTime. Another one that is
/// made under its name meanwhile is neither waited for nor deleted.
class Deletion {
 public:
  Deletion(Api& api, QueuedResource found, Force force, Services& services)
      : api_(api), found_(std::move(found)), force_(force), services_(services) {}

  const QueuedResourceName& name() const { return found_.name; }
  /// Asks the API for it. One that is being deleted already is joined; one that is gone meanwhile is no
  /// error. Errors: the API's; kConflict names --force where that would help.
  Result<void> send();
  /// Waits until it is gone. Errors: kTimeout, kInterrupted, the operation's own, the API's.
  Result<void> see_gone(const Countdown& countdown);
  /// For a command that does not wait: its part is done.
  void leave();

 private:
  Result<void> refused(Error error);
  Result<void> wait_until_gone(const Countdown& countdown);

  Api& api_;
  QueuedResource found_;
  Force force_;
  Services& services_;
  std::optional<Intent> intent_;
  std::optional<Operation> operation_;
};

/// What an earlier run of the same command began, and did not live to see, of a resource `name` that is not
/// there now, or that `there` has replaced: its deletion has come true. Forgets it.
bool finish_earlier_deletion(Api& api, const QueuedResourceName& name, const QueuedResource* there);

}  // namespace slipway::cli
