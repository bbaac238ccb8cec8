#include "cli/deletion.h"

#include "cli/state_watch.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

constexpr const char* kVerb = "delete";

/// The time of creation makes it this resource: one of the same name made later is another intent.
std::string content_of(const QueuedResource& resource, Force force) {
  return fmt::format("{} force={}", resource.create_time, force == Force::kYes);
}

bool is_being_deleted(const QueuedResource& resource) {
  return resource.state == QueuedResourceState::kDeleting;
}

}  // namespace

Result<void> Deletion::send() {
  if (is_being_deleted(found_)) {
    services_.say(fmt::format("{} is being deleted already", name().id));
    return {};
  }
  intent_ = Intent::open(api_, kVerb, name(), content_of(found_, force_), services_);
  Result<Operation> sent = api_.client().remove(name(), force_ == Force::kYes, intent_->request_id());
  if (!sent.ok()) return refused(std::move(sent).error());
  operation_ = std::move(*sent);
  services_.say(fmt::format("deleting {}", name().id));
  return {};
}

/// Between our look and our request somebody else may have begun, or ended, the same.
Result<void> Deletion::refused(Error error) {
  intent_->settle(error);
  if (error.code() == ErrorCode::kNotFound) return {};
  if (error.code() != ErrorCode::kConflict) return error;
  const Result<QueuedResource> now = api_.client().get(name());
  if (!now.ok() && now.error().code() == ErrorCode::kNotFound) return {};
  if (now.ok() && (is_being_deleted(*now) || now->create_time != found_.create_time)) {
    services_.say(fmt::format("{} is being deleted already", name().id));
    return {};
  }
  if (force_ == Force::kYes) return error;
  return std::move(error).next(fmt::format("slipway delete {} --force", shell_quote(name().id)));
}

Result<void> Deletion::see_gone(const Countdown& countdown) {
  Result<void> gone = wait_until_gone(countdown);
  if (gone.ok()) {
    Intent::forget(api_, kVerb, name());
    // The id of its create would now be answered with a success that is over.
    Intent::forget(api_, "create", name());
  } else if (intent_) {
    intent_->settle(gone.error());
  }
  return gone;
}

Result<void> Deletion::wait_until_gone(const Countdown& countdown) {
  if (operation_) TRY(tpu::wait_for_operation(api_.client(), *operation_, countdown.left()));
  tpu::WaitOptions wait;
  wait.goal = tpu::Goal::kDeleted;
  wait.timeout = countdown.left();
  StateWatch watch(name().id, services_);
  TRY(tpu::wait_for(api_.client(), tpu::Awaited{name(), found_.create_time}, wait, std::ref(watch)));
  return {};
}

void Deletion::leave() {
  if (intent_) intent_->close();
}

bool finish_earlier_deletion(Api& api, const QueuedResourceName& name, const QueuedResource* there) {
  const auto entry = api.journal().find(api.endpoint(), kVerb, name);
  if (!entry) return false;
  if (there != nullptr) {
    for (const Force force : {Force::kNo, Force::kYes}) {
      if (tpu::RequestJournal::digest(content_of(*there, force)) == entry->content) return false;
    }
  }
  Intent::forget(api, kVerb, name);
  return true;
}

}  // namespace slipway::cli
