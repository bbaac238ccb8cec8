#include "tpu/token_client.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"
#include "slipway/http/retry.h"
#include "slipway/http/trusted_hosts.h"
#include "slipway/http/url.h"

namespace slipway::tpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kTries = 3;
constexpr milliseconds kFirstPause{1'000};
constexpr double kJitter = 0.1;
/// Nobody waits longer than this for a token because a server asked for patience.
constexpr seconds kLongestPause{30};

/// RFC 6749 section 5.2 has no word for "later", so servers use those of section 4.1.2.1 and one of their
/// own.
bool is_temporary(const std::string& word) {
  return word == "internal_failure" || word == "server_error" || word == "temporarily_unavailable";
}

bool may_help_to_repeat(const Result<http::Response>& answer) {
  if (!answer.ok()) return answer.error().code() == ErrorCode::kUnavailable;
  const int status = answer.value().status;
  if (status == 408 || status == 429 || status >= 500) return true;
  if (status < 400) return false;
  const Result<Json> body = parse_json(answer.value().body);
  return body.ok() && (is_temporary(string_member(body.value(), "error")) ||
                       is_temporary(string_member(body.value(), "error_description")));
}

std::string cause(const Result<http::Response>& answer) {
  return answer.ok() ? fmt::format("status {}", answer.value().status) : answer.error().why();
}

}  // namespace

Result<http::Response> TokenClient::send_secret(const http::Request& request) const {
  TRY(http::check_trusted(request.url, allowed_hosts_));
  return send_open(request);
}

Result<http::Response> TokenClient::send_open(const http::Request& request) const {
  for (int attempt = 1;; ++attempt) {
    Result<http::Response> answer = transport_.send(request);
    if (attempt == kTries || !may_help_to_repeat(answer)) return answer;
    const Clock::duration pause = pause_after(attempt, answer);
    log(LogLevel::kInfo,
        fmt::format("{} {}: {}, trying again in {}", request.method,
                    request.url.substr(0, request.url.find('?')), cause(answer), format_duration(pause)));
    if (!clock_.sleep_until(clock_.now() + pause))
      return Error(ErrorCode::kInterrupted, "interrupted while waiting for an access token");
  }
}

Clock::duration TokenClient::pause_after(int attempt, const Result<http::Response>& answer) const {
  const double factor = (1.0 - kJitter) + 2 * kJitter * random_();
  Clock::duration pause =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(
          static_cast<double>((kFirstPause * (1 << (attempt - 1))).count()) * factor));
  if (!answer.ok()) return pause;
  const auto asked = http::parse_retry_after(answer.value().header("retry-after"), clock_.wall_now());
  if (asked) pause = std::max<Clock::duration>(pause, std::min(*asked, kLongestPause));
  return pause;
}

http::Request form_request(const std::string& url,
                           const std::vector<std::pair<std::string, std::string>>& fields) {
  http::Request request;
  request.method = "POST";
  request.url = url;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = http::encode_form(fields);
  request.timeout = seconds(30);
  request.idempotent = true;
  return request;
}

}  // namespace slipway::tpu
