#include "tpu/token_sources.h"

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"

namespace slipway::tpu {
namespace {

/// google-auth's REFRESH_THRESHOLD.
constexpr std::chrono::seconds kMargin{225};
constexpr std::size_t kMaxTokenFile = 64 * 1024;

Result<Secret> read_token_file(const std::string& path) {
  const std::string next = fmt::format("gcloud auth print-access-token > {}", shell_quote(path));
  const Result<std::string> content = read_file(path, kMaxTokenFile);
  if (!content.ok()) {
    Error error = Error(content.error()).within("no access token");
    return error.code() == ErrorCode::kUsage ? std::move(error).next(next) : error;
  }
  Secret token{std::string(trim(*content))};
  if (!token.empty()) return token;
  return Error(ErrorCode::kDenied, fmt::format("the access token file '{}' is empty", path)).next(next);
}

}  // namespace

Result<Secret> TokenFile::token() {
  if (!token_.empty()) return token_;
  TRY(token_, read_token_file(path_));
  return token_;
}

bool TokenFile::refresh() {
  Result<Secret> fresh = read_token_file(path_);
  if (!fresh.ok() || fresh.value().reveal() == token_.reveal()) return false;
  token_ = std::move(fresh).value();
  return true;
}

Result<Secret> RenewedToken::token() {
  const Clock::time_point now = clock_.now();
  if (!token_.empty() && now + kMargin < expires_) return token_;
  Result<FetchedToken> fetched = fetch_();
  if (fetched.ok()) {
    token_ = std::move(fetched->token);
    expires_ = now + fetched->lifetime;
    return token_;
  }
  if (token_.empty() || clock_.now() >= expires_ || fetched.error().code() == ErrorCode::kInterrupted) {
    return std::move(fetched).error();
  }
  log(LogLevel::kWarning,
      fmt::format("{}: using the old token on: {}", fetched.error().message(), fetched.error().why()));
  return token_;
}

bool RenewedToken::refresh() {
  token_ = Secret();
  return true;
}

}  // namespace slipway::tpu
