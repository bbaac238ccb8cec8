#include "slipway/tpu/wait.h"

#include <algorithm>
#include <cmath>

#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"
#include "tpu/api_error.h"

namespace slipway::tpu {
namespace {

using State = QueuedResourceState;

/// A wait of days must outlive a restart of somebody's router.
constexpr std::chrono::minutes kBorneOutage{15};

/// Whether a request in state `from` can still come to `to` (TPU API v2: FAILED and SUSPENDED requests stay
/// until they are deleted, and are never queued again).
bool can_come(State from, State to) {
  if (from == to || to == State::kDeleting) return true;
  switch (from) {
    case State::kDeleting:
    case State::kSuspended:
    case State::kFailed:
      return false;
    case State::kSuspending:
      return to == State::kSuspended || to == State::kFailed;
    case State::kOther:
    case State::kCreating:
      return true;
    case State::kAccepted:
      return to != State::kCreating;
    default:
      return to != State::kCreating && to != State::kAccepted;
  }
}

/// The one wait that `wait_for` is about.
class Wait {
 public:
  Wait(Client& client, const QueuedResourceName& name, const WaitOptions& options)
      : client_(client), name_(name), options_(options), began_(client.clock().now()) {}

  Result<Sight> look();
  bool reached(const Sight& sight) const;
  /// Why the goal can no longer come; nothing while it can.
  std::optional<Error> verdict(const Sight& sight) const;
  Error timed_out() const;
  /// `interruption` with what goes on, and how to come back.
  Error interrupted(Error interruption) const;
  /// An error of the API that is no reason to stop waiting yet.
  bool bears(const Error& error);
  bool is_over() const { return options_.timeout && client_.clock().now() - began_ >= *options_.timeout; }
  /// The next look, not later than the end of the wait.
  Clock::time_point next_look(Clock::duration delay) const;

 private:
  Result<void> count_ready_nodes(Sight& sight);
  void note_identity(Sight& sight);
  std::string goal() const;
  std::string wait_again() const {
    return fmt::format("slipway wait {} --for {}", shell_quote(name_.id), goal());
  }
  Error impossible(const QueuedResource& resource) const;

  Client& client_;
  const QueuedResourceName& name_;
  const WaitOptions& options_;
  Clock::time_point began_;
  bool seen_before_ = false;  ///< at an earlier look than the last one
  bool seen_ = false;
  std::string create_time_;  ///< of the first look
  std::string last_state_;
  std::optional<Clock::time_point> outage_began_;
};

Result<Sight> Wait::look() {
  Sight sight;
  Result<QueuedResource> found = client_.get(name_);
  if (!found.ok() && found.error().code() != ErrorCode::kNotFound) return std::move(found).error();
  if (found.ok()) {
    sight.resource = std::move(found).value();
    note_identity(sight);
    if (options_.goal == Goal::kReady) TRY(count_ready_nodes(sight));
  } else {
    seen_before_ = seen_;
  }
  outage_began_.reset();
  sight.elapsed = client_.clock().now() - began_;
  return sight;
}

void Wait::note_identity(Sight& sight) {
  const QueuedResource& resource = *sight.resource;
  seen_before_ = seen_;
  if (!seen_) create_time_ = resource.create_time;
  seen_ = true;
  last_state_ = resource.state_text;
  sight.recreated = resource.create_time != create_time_;
}

Result<void> Wait::count_ready_nodes(Sight& sight) {
  const std::vector<std::string> slices = sight.resource->slice_names();
  sight.nodes_total = slices.size();
  if (sight.resource->state != State::kActive) return {};
  std::vector<NodeName> names;
  for (const std::string& slice : slices) names.push_back({name_.location, slice});
  for (Result<Node>& node : client_.get_nodes(names)) {
    if (!node.ok() && node.error().code() != ErrorCode::kNotFound) return std::move(node).error();
    if (node.ok() && node->ready()) ++sight.nodes_ready;
  }
  return {};
}

bool Wait::reached(const Sight& sight) const {
  switch (options_.goal) {
    case Goal::kDeleted:
      return !sight.resource || sight.recreated;
    case Goal::kState:
      return sight.resource && options_.states.count(sight.resource->state) > 0;
    case Goal::kReady:
      return sight.resource && sight.resource->state == State::kActive && sight.nodes_total > 0 &&
             sight.nodes_ready == sight.nodes_total;
  }
  return false;
}

std::optional<Error> Wait::verdict(const Sight& sight) const {
  if (options_.goal == Goal::kDeleted) return std::nullopt;
  if (!sight.resource && !seen_before_) {
    return Error(ErrorCode::kNotFound,
                 fmt::format("there is no queued resource '{}' in {}", name_.id, name_.location.zone))
        .next("slipway list");
  }
  if (!sight.resource) {
    return Error(ErrorCode::kImpossible,
                 fmt::format("'{}' was deleted while we waited for {}", name_.id, goal()))
        .why(fmt::format("it was {} when it was last seen", last_state_));
  }
  const State state = sight.resource->state;
  const bool possible = options_.goal == Goal::kReady
                            ? can_come(state, State::kActive)
                            : std::any_of(options_.states.begin(), options_.states.end(),
                                          [&](State wanted) { return can_come(state, wanted); });
  if (possible) return std::nullopt;
  return impossible(*sight.resource);
}

Error Wait::impossible(const QueuedResource& resource) const {
  std::string why = resource.failure ? describe(*resource.failure) : "";
  if (why.empty() && !resource.state_initiator.empty())
    why = fmt::format("by the {}", to_lower(resource.state_initiator));
  const bool can_be_deleted = resource.state != State::kDeleting;
  return Error(ErrorCode::kImpossible,
               fmt::format("'{}' is {}: it cannot become {}", name_.id, resource.state_text, goal()))
      .why(std::move(why))
      .next(can_be_deleted ? fmt::format("slipway delete {} --force", shell_quote(name_.id)) : "");
}

Error Wait::timed_out() const {
  const std::string state = last_state_.empty() ? "not seen" : last_state_;
  return Error(ErrorCode::kTimeout, fmt::format("'{}' is {} after {}, not yet {}", name_.id, printable(state),
                                                format_duration(client_.clock().now() - began_), goal()))
      .next(wait_again());
}

Error Wait::interrupted(Error interruption) const {
  return std::move(interruption)
      .why("only the waiting has ended: the request goes on without us")
      .next(wait_again());
}

bool Wait::bears(const Error& error) {
  if (error.code() != ErrorCode::kUnavailable || !seen_) return false;
  const Clock::time_point now = client_.clock().now();
  const bool is_new = !outage_began_;
  if (is_new) outage_began_ = now;
  if (now - *outage_began_ >= kBorneOutage) return false;
  log(is_new ? LogLevel::kWarning : LogLevel::kInfo,
      fmt::format("{}: {}; still waiting", error.message(), error.why()));
  return true;
}

Clock::time_point Wait::next_look(Clock::duration delay) const {
  const Clock::time_point when = client_.clock().now() + delay;
  return options_.timeout ? std::min(when, began_ + *options_.timeout) : when;
}

std::string Wait::goal() const {
  if (options_.goal == Goal::kReady) return "READY";
  if (options_.goal == Goal::kDeleted) return "DELETED";
  std::string names;
  for (const State state : options_.states) names += (names.empty() ? "" : ",") + to_string(state);
  return names;
}

}  // namespace

Clock::duration PollPolicy::delay(int poll, const RandomUnit& random) const {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const double grown = static_cast<double>(first.count()) * std::pow(factor, std::clamp(poll, 0, 100));
  const double capped = std::min(grown, static_cast<double>(maximum.count()));
  return std::chrono::duration_cast<Clock::duration>(Milliseconds(capped * (0.75 + 0.5 * random())));
}

Result<Sight> wait_for(Client& client, const QueuedResourceName& name, const WaitOptions& options,
                       const OnSight& on_sight, const RandomUnit& random) {
  Wait wait(client, name, options);
  for (int poll = 0;; ++poll) {
    Result<Sight> sight = wait.look();
    if (!sight.ok() && sight.error().code() == ErrorCode::kInterrupted)
      return wait.interrupted(std::move(sight).error());
    if (!sight.ok() && !wait.bears(sight.error())) return std::move(sight).error();
    if (sight.ok()) {
      const bool reached = wait.reached(sight.value());
      std::optional<Error> error = reached ? std::nullopt : wait.verdict(sight.value());
      const bool never_was = error && error->code() == ErrorCode::kNotFound;
      if (on_sight && !never_was) on_sight(sight.value());
      if (reached) return sight;
      if (error) return std::move(*error);
    }
    if (wait.is_over()) return wait.timed_out();
    if (!client.clock().sleep_until(wait.next_look(options.poll.delay(poll, random)))) {
      return wait.interrupted(
          Error(ErrorCode::kInterrupted, fmt::format("interrupted while waiting for '{}'", name.id)));
    }
  }
}

}  // namespace slipway::tpu
