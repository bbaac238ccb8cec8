#include "tpu/token_sources.h"

#include <algorithm>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"

namespace slipway::tpu {
namespace {

using std::chrono::seconds;

constexpr seconds kMargin{300};
/// A metadata server hands out its old token until it has four minutes left; that must not become a fetch a
/// call.
constexpr seconds kLeastPause{30};
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

/// Nobody answers, and the token that we have was refused: for the user that is "not signed in".
Error denied_without_answer(Error cause) {
  return Error(ErrorCode::kDenied, "the access token was refused, and no new one can be had")
      .why(fmt::format("{}: {}", cause.message(), cause.why()))
      .next("slipway help auth");
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
  if (!token_.empty() && clock_.now() < next_fetch_) return token_;
  Result<FetchedToken> fetched = exchange_->fetch();
  if (fetched.ok()) {
    keep(std::move(fetched).value());
    return token_;
  }
  if (refused_ && fetched.error().code() == ErrorCode::kUnavailable)
    return denied_without_answer(std::move(fetched).error());
  if (token_.empty() || fetched.error().code() == ErrorCode::kInterrupted) return std::move(fetched).error();
  log(LogLevel::kWarning,
      fmt::format("{}: using the old token on: {}", fetched.error().message(), fetched.error().why()));
  next_fetch_ = clock_.now() + kLeastPause;
  return token_;
}

void RenewedToken::keep(FetchedToken fetched) {
  const seconds pause = std::clamp(fetched.lifetime / 2, seconds(0), kLeastPause);
  next_fetch_ = clock_.now() + std::max(fetched.lifetime - kMargin, pause);
  token_ = std::move(fetched.token);
  refused_ = false;
}

bool RenewedToken::refresh() {
  token_ = Secret();
  refused_ = true;
  return true;
}

}  // namespace slipway::tpu
