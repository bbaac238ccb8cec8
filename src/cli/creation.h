#pragma once

#include "cli/countdown.h"
#include "cli/create_request.h"
#include "cli/intent.h"
#include "slipway/tpu/difference.h"

namespace slipway::cli {

/// How a create behaves where the name is taken, and how long it looks on.
struct CreationOptions {
  bool if_not_exists = false;
  bool recreate = false;
  bool async = false;
  bool wait = false;
  std::string command = "create";  ///< what the person typed, for what is to be typed next
};

/// One queued resource from the wish to what was seen of it. Whatever ends this process on the way, the same
/// command again ends with one resource, and says that it was made only when it is there.
class Creation {
 public:
  /// All outlive it.
  Creation(Api& api, const QueuedResourceName& name, const CreateRequest& request,
           const CreationOptions& options, const Countdown& countdown, Services& services)
      : api_(api),
        name_(name),
        request_(request),
        options_(options),
        countdown_(countdown),
        services_(services) {}

  /// Errors: kConflict with the differences as `why`; kImpossible for one that failed or vanished; kTimeout;
  /// the API's.
  Result<void> run();
  /// Whether it was ACTIVE when run() saw it last.
  bool is_active() const { return is_active_; }

 private:
  enum class Next { kAsk, kDone };

  Result<Next> settle_existing();
  Result<Next> judge(const QueuedResource& there);
  Result<void> remove_first(const QueuedResource& there);
  Result<Next> exists_equal(const QueuedResource& there);
  Error in_the_way(const QueuedResource& there) const;
  Error exists(const QueuedResource& there, Error conflict) const;
  Error differs(const std::vector<tpu::Difference>& differences) const;

  Result<void> ask();
  Result<Operation> send(Intent& intent);
  Result<void> lost_the_race(Error conflict);
  /// Whether it is there: a success that the API remembers of an earlier run can be over by now.
  Result<bool> see_created(const Intent& intent);
  Result<void> wait_until_active();

  Api& api_;
  const QueuedResourceName& name_;
  const CreateRequest& request_;
  const CreationOptions& options_;
  const Countdown& countdown_;
  Services& services_;
  std::string create_time_;  ///< of the one that was seen
  bool is_active_ = false;
};

}  // namespace slipway::cli
