#include "slipway/tpu/wait.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"
#include "slipway/model/next_step.h"
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
    case State::kActive:
      return to == State::kSuspending || to == State::kSuspended || to == State::kFailed;
    case State::kOther:
    case State::kCreating:
      return true;
    case State::kAccepted:
      return to != State::kCreating;
    default:
      return to != State::kCreating && to != State::kAccepted;
  }
}

/// The wait for one of the resources.
class Wait {
 public:
  Wait(Client& client, const Awaited& awaited, const WaitOptions& options)
      : client_(client),
        name_(awaited.name),
        options_(options),
        create_time_(awaited.create_time),
        began_(client.clock().now()) {}

  /// What an answer of the API shows.
  Result<Sight> see(Result<QueuedResource> found);
  bool reached(const Sight& sight) const;
  /// Why the goal can no longer come; nothing while it can.
  std::optional<Error> verdict(const Sight& sight) const;
  Error timed_out() const;
  /// `interruption` with what goes on, and how to come back.
  Error interrupted(Error interruption) const;
  /// An error of the API that is no reason to stop waiting yet.
  bool bears(const Error& error);

 private:
  Result<void> count_ready_nodes(Sight& sight);
  void note_identity(Sight& sight);
  bool may_count_as_ready(const Sight& sight) const;
  std::string goal() const;
  std::string wait_again() const {
    return fmt::format("slipway wait {} --for {}", shell_quote(name_.id), goal());
  }
  Error impossible(const QueuedResource& resource) const;

  Client& client_;
  const QueuedResourceName& name_;
  const WaitOptions& options_;
  std::string create_time_;  ///< of the one that is meant
  Clock::time_point began_;
  bool seen_before_ = false;  ///< at an earlier look than the last one
  bool seen_ = false;
  bool left_ready_ = false;  ///< a node was seen in another state
  std::string last_state_;
  std::optional<Clock::time_point> outage_began_;
};

Result<Sight> Wait::see(Result<QueuedResource> found) {
  Sight sight;
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
  if (create_time_.empty()) create_time_ = resource.create_time;
  seen_ = true;
  sight.recreated = resource.create_time != create_time_;
  if (!sight.recreated) last_state_ = resource.state_text;
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
  left_ready_ = left_ready_ || sight.nodes_ready < sight.nodes_total;
  return {};
}

/// READY right after a reset may be the READY of before it.
bool Wait::may_count_as_ready(const Sight& sight) const {
  return !options_.leave_ready_within || left_ready_ || sight.elapsed >= *options_.leave_ready_within;
}

bool Wait::reached(const Sight& sight) const {
  switch (options_.goal) {
    case Goal::kDeleted:
      return !sight.resource || sight.recreated;
    case Goal::kState:
      return sight.resource && !sight.recreated && options_.states.count(sight.resource->state) > 0;
    case Goal::kReady:
      return sight.resource && !sight.recreated && sight.resource->state == State::kActive &&
             sight.nodes_total > 0 && sight.nodes_ready == sight.nodes_total && may_count_as_ready(sight);
  }
  return false;
}

std::optional<Error> Wait::verdict(const Sight& sight) const {
  if (options_.goal == Goal::kDeleted) return std::nullopt;
  if (!sight.resource && !seen_before_ && create_time_.empty()) {
    return Error(ErrorCode::kNotFound,
                 fmt::format("there is no queued resource '{}' in {}", name_.id, name_.location.zone))
        .next("slipway list");
  }
  if (!sight.resource || sight.recreated) {
    return Error(ErrorCode::kImpossible,
                 fmt::format("'{}' was deleted while we waited for {}", name_.id, goal()))
        .why(sight.recreated ? fmt::format("another '{}' was made at {}", name_.id,
                                           printable(sight.resource->create_time))
                             : fmt::format("it was {} when it was last seen",
                                           last_state_.empty() ? "requested" : printable(last_state_)));
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
  return Error(ErrorCode::kImpossible,
               fmt::format("'{}' is {}: it cannot become {}", name_.id, resource.state_text, goal()))
      .why(std::move(why))
      .next(next_step(resource));
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

Result<std::vector<Sight>> wait_for_all(Client& client, const std::vector<Awaited>& awaited,
                                        const WaitOptions& options, const OnSightOf& on_sight,
                                        const RandomUnit& random) {
  Clock& clock = client.clock();
  const Clock::time_point began = clock.now();
  std::vector<Wait> waits;
  for (const Awaited& one : awaited) waits.emplace_back(client, one, options);
  std::vector<Sight> sights(awaited.size());
  std::vector<std::size_t> pending(awaited.size());
  std::iota(pending.begin(), pending.end(), std::size_t{0});
  for (int poll = 0;; ++poll) {
    std::vector<QueuedResourceName> names;
    for (const std::size_t index : pending) names.push_back(awaited[index].name);
    std::vector<Result<QueuedResource>> answers = client.get_many(names);
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const std::size_t index = pending[i];
      Wait& wait = waits[index];
      Result<Sight> sight = wait.see(std::move(answers[i]));
      if (!sight.ok() && sight.error().code() == ErrorCode::kInterrupted)
        return wait.interrupted(std::move(sight).error());
      if (!sight.ok() && !wait.bears(sight.error())) return std::move(sight).error();
      bool reached = false;
      if (sight.ok()) {
        reached = wait.reached(*sight);
        std::optional<Error> error = reached ? std::nullopt : wait.verdict(*sight);
        const bool never_was = error && error->code() == ErrorCode::kNotFound;
        if (on_sight && !never_was) on_sight(index, *sight);
        if (error) return std::move(*error);
        sights[index] = std::move(*sight);
      }
      if (!reached) left.push_back(index);
    }
    pending = std::move(left);
    if (pending.empty()) return sights;
    if (options.timeout && clock.now() - began >= *options.timeout) return waits[pending.front()].timed_out();
    Clock::time_point next = clock.now() + options.poll.delay(poll, random);
    if (options.timeout) next = std::min(next, began + *options.timeout);
    if (!clock.sleep_until(next)) {
      const std::string& id = awaited[pending.front()].name.id;
      return waits[pending.front()].interrupted(
          Error(ErrorCode::kInterrupted, fmt::format("interrupted while waiting for '{}'", id)));
    }
  }
}

Result<Sight> wait_for(Client& client, const Awaited& awaited, const WaitOptions& options,
                       const OnSight& on_sight, const RandomUnit& random) {
  const auto of_one = [&](std::size_t, const Sight& sight) {
    if (on_sight) on_sight(sight);
  };
  TRY(std::vector<Sight> sights, wait_for_all(client, {awaited}, options, of_one, random));
  return std::move(sights.front());
}

}  // namespace slipway::tpu
