#include "cli/creation.h"

#include "cli/deletion.h"
#include "cli/state_watch.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/difference.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

using State = QueuedResourceState;

bool is_dead(const QueuedResource& resource) {
  return resource.state == State::kFailed || resource.state == State::kSuspended;
}

std::string recreating(const std::string& command, const QueuedResourceName& name) {
  return fmt::format("slipway {} {} --recreate ...", command, shell_quote(name.id));
}

/// Why a resource is in its state, in the API's words.
std::string reason_of(const QueuedResource& resource) {
  if (resource.failure) return resource.failure->message;
  return resource.state_initiator.empty() ? "" : fmt::format("by the {}", to_lower(resource.state_initiator));
}

}  // namespace

Result<void> Creation::run() {
  if (options_.if_not_exists || options_.recreate) {
    TRY(const Next next, settle_existing());
    if (next == Next::kAsk) TRY(ask());
  } else {
    TRY(ask());
  }
  return options_.wait ? wait_until_active() : Result<void>();
}

Result<Creation::Next> Creation::settle_existing() {
  const Result<QueuedResource> there = api_.client().get(name_, request_.body({}).version);
  if (there.ok()) return judge(*there);
  if (there.error().code() == ErrorCode::kNotFound) return Next::kAsk;
  return there.error();
}

/// What stands under the name decides: it goes, it will do, or it is in the way.
Result<Creation::Next> Creation::judge(const QueuedResource& there) {
  const bool going = there.state == State::kDeleting;
  if (options_.recreate && (going || is_dead(there))) {
    TRY(remove_first(there));
    return Next::kAsk;
  }
  const auto found = tpu::differences(request_.body({}), name_.id, there.document);
  if (!options_.if_not_exists) return in_the_way(there);
  if (!found.empty()) return differs(found);
  if (going || is_dead(there) || there.state == State::kSuspending) return in_the_way(there);
  return exists_equal(there);
}

Result<void> Creation::remove_first(const QueuedResource& there) {
  services_.say(fmt::format("{} is {}: it goes first", name_.id, there.state_text));
  // A FAILED one may have slices that still run, and is deleted with force only.
  Deletion deletion(api_, there, Force::kYes, services_);
  TRY(deletion.send());
  return deletion.see_gone(countdown_);
}

Result<Creation::Next> Creation::exists_equal(const QueuedResource& there) {
  Intent::forget(api_, "create", name_);
  create_time_ = there.create_time;
  is_active_ = there.state == State::kActive;
  services_.say(fmt::format("{} is there already, as asked for: {}", name_.id, there.state_text));
  return Next::kDone;
}

Error Creation::in_the_way(const QueuedResource& there) const {
  Error error(ErrorCode::kConflict, fmt::format("'{}' exists and is {}", name_.id, there.state_text));
  error = std::move(error).why(reason_of(there));
  if (is_dead(there)) return std::move(error).next(recreating(options_.command, name_));
  if (there.state == State::kDeleting || there.state == State::kSuspending) {
    const char* goal = there.state == State::kDeleting ? "DELETED" : "SUSPENDED";
    return std::move(error).next(fmt::format("slipway wait {} --for {}", shell_quote(name_.id), goal));
  }
  return std::move(error)
      .why("--recreate replaces only one that is FAILED or SUSPENDED")
      .next(fmt::format("slipway delete {} --force", shell_quote(name_.id)));
}

Error Creation::differs(const std::vector<tpu::Difference>& differences) const {
  std::vector<std::string> lines;
  for (const tpu::Difference& one : differences)
    lines.push_back(fmt::format("{}: there {}, asked {}", one.field, one.there, one.asked));
  return Error(ErrorCode::kConflict, fmt::format("'{}' exists with another spec", name_.id))
      .why(fmt::format("{}", fmt::join(lines, "\n")))
      .next(fmt::format("slipway describe {}", shell_quote(name_.id)));
}

Result<void> Creation::ask() {
  while (true) {
    Intent intent = Intent::open(api_, "create", name_, request_.content(), services_);
    Result<Operation> created = send(intent);
    if (!created.ok()) {
      intent.settle(created.error());
      return lost_the_race(std::move(created).error());
    }
    TRY(const bool there, see_created(intent));
    intent.close();
    // A deletion that nobody saw the end of was of the one before: the next delete means this one.
    Intent::forget(api_, "delete", name_);
    if (there) return {};
    services_.say(fmt::format("{}: an earlier run had made it, but it is gone since: asking anew", name_.id));
  }
}

Result<Operation> Creation::send(Intent& intent) {
  TRY(const Operation operation, api_.client().create(name_, request_.body(intent.opened_at()),
                                                      intent.request_id(), intent.may_have_acted_since()));
  services_.say(fmt::format("requested {}: {}", name_.id, request_.text()));
  if (options_.async) return operation;
  return tpu::wait_for_operation(api_.client(), operation, countdown_.left());
}

/// Another process may have been first with the same wish.
Result<void> Creation::lost_the_race(Error conflict) {
  if (conflict.code() != ErrorCode::kConflict) return conflict;
  const Result<QueuedResource> there = api_.client().get(name_, request_.body({}).version);
  if (!there.ok()) return conflict;  // it may be another name that is taken: a node's
  if (!options_.if_not_exists) return exists(*there, std::move(conflict));
  TRY(const Next next, judge(*there));
  return next == Next::kDone ? Result<void>() : conflict;
}

/// What a create without --if-not-exists says: what differs, or that nothing does.
Error Creation::exists(const QueuedResource& there, Error conflict) const {
  const auto found = tpu::differences(request_.body({}), name_.id, there.document);
  if (!found.empty()) return differs(found);
  if (is_dead(there) || there.state == State::kDeleting || there.state == State::kSuspending)
    return in_the_way(there);
  return std::move(conflict).next(fmt::format("slipway {} {} --if-not-exists ...   (it is as asked for)",
                                              options_.command, shell_quote(name_.id)));
}

Result<bool> Creation::see_created(const Intent& intent) {
  if (options_.async && !intent.resumed()) return true;
  const Result<QueuedResource> there = api_.client().get(name_, request_.body({}).version);
  if (!there.ok() && there.error().code() == ErrorCode::kNotFound) {
    if (intent.resumed()) return false;
    return Error(ErrorCode::kImpossible,
                 fmt::format("'{}' was made, and deleted by somebody at once", name_.id));
  }
  if (!there.ok()) return there.error();
  if (intent.resumed()) {
    const auto found = tpu::differences(request_.body({}), name_.id, there->document);
    if (!found.empty()) return differs(found);
  }
  create_time_ = there->create_time;
  if (is_dead(*there)) {
    return Error(ErrorCode::kImpossible, fmt::format("'{}' is {}", name_.id, there->state_text))
        .why(reason_of(*there))
        .next(recreating(options_.command, name_));
  }
  is_active_ = there->state == State::kActive;
  services_.say(fmt::format("{} is {}", name_.id, is_active_ ? there->state_text : "queued"));
  return true;
}

Result<void> Creation::wait_until_active() {
  tpu::WaitOptions wait;
  wait.states = {State::kActive};
  wait.timeout = countdown_.left();
  StateWatch watch(name_.id, services_);
  TRY(tpu::wait_for(api_.client(), tpu::Awaited{name_, create_time_}, wait, std::ref(watch)));
  return {};
}

}  // namespace slipway::cli
