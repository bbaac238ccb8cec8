#include "cli/intent.h"

#include "slipway/core/format.h"
#include "slipway/core/random.h"

namespace slipway::cli {

Intent Intent::open(Api& api, std::string verb, QueuedResourceName name, const std::string& content,
                    const Services& services) {
  Result<tpu::JournalEntry> entry = api.journal().open(api.endpoint(), verb, name, content);
  if (entry.ok()) return Intent(api, std::move(verb), std::move(name), std::move(*entry));
  services.say(fmt::format("note: {}: {}; if this is cut off, the same command again counts as a new one",
                           entry.error().message(), entry.error().why()));
  const auto now = services.clock.wall_now();
  return Intent(api, std::move(verb), std::move(name), {make_uuid(), "", now, now, false});
}

void Intent::forget(Api& api, const std::string& verb, const QueuedResourceName& name) {
  const auto entry = api.journal().find(api.endpoint(), verb, name);
  if (entry) api.journal().close(api.endpoint(), verb, name, entry->request_id);
}

std::optional<std::chrono::system_clock::time_point> Intent::may_have_acted_since() const {
  return entry_.resumed ? std::optional(entry_.since) : std::nullopt;
}

void Intent::close() { api_->journal().close(api_->endpoint(), verb_, name_, entry_.request_id); }

void Intent::settle(const Error& error) {
  const ErrorCode code = error.code();
  const bool still_open =
      code == ErrorCode::kUnavailable || code == ErrorCode::kInterrupted || code == ErrorCode::kTimeout;
  if (!still_open) close();
}

}  // namespace slipway::cli
