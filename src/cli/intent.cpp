#include "cli/intent.h"

#include "slipway/core/format.h"
#include "slipway/core/random.h"

namespace slipway::cli {

Intent Intent::open(Api& api, std::string verb, QueuedResourceName name, const std::string& content,
                    const Services& services) {
  Result<std::string> request_id = api.journal().open(api.endpoint(), verb, name, content);
  if (request_id.ok()) return Intent(api, std::move(verb), std::move(name), std::move(*request_id));
  services.say(fmt::format("note: {}; if this is cut off, the same command again counts as a new one",
                           request_id.error().message()));
  return Intent(api, std::move(verb), std::move(name), make_uuid());
}

void Intent::close() { api_->journal().close(api_->endpoint(), verb_, name_); }

void Intent::settle(const Error& error) {
  const ErrorCode code = error.code();
  const bool still_open =
      code == ErrorCode::kUnavailable || code == ErrorCode::kInterrupted || code == ErrorCode::kTimeout;
  if (!still_open) close();
}

}  // namespace slipway::cli
