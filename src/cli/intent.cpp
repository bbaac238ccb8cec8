#include "cli/intent.h"

namespace slipway::cli {

Result<Intent> Intent::open(Api& api, std::string verb, QueuedResourceName name, const std::string& content) {
  TRY(std::string request_id, api.journal().open(api.endpoint(), verb, name, content));
  return Intent(api, std::move(verb), std::move(name), std::move(request_id));
}

void Intent::close() { api_->journal().close(api_->endpoint(), verb_, name_); }

void Intent::settle(const Error& error) {
  const ErrorCode code = error.code();
  const bool still_open =
      code == ErrorCode::kUnavailable || code == ErrorCode::kInterrupted || code == ErrorCode::kTimeout;
  if (!still_open) close();
}

}  // namespace slipway::cli
