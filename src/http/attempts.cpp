#include "slipway/http/attempts.h"

#include <algorithm>
#include <numeric>

#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"

namespace slipway::http {
namespace {

using std::chrono::milliseconds;

/// A try that may have been carried out although it ended without a usable answer.
bool may_have_acted(const Answer& answer) {
  if (!answer.response.ok()) return answer.exchange == Exchange::kMaybeSent;
  return answer.response.value().status >= 500 || answer.response.value().status == 408;
}

/// No try outlives the deadline of all.
Request shortened(Request request, Clock::duration left) {
  const auto limit = std::max(milliseconds(1), std::chrono::ceil<milliseconds>(left));
  request.timeout = std::min(request.timeout, limit);
  request.connect_timeout = std::min(request.connect_timeout, limit);
  return request;
}

bool may_be_repeated(const Request& request, const Answer& answer) {
  const bool is_read = request.method == "GET" || request.method == "HEAD";
  return is_read || request.idempotent || (!answer.response.ok() && answer.exchange == Exchange::kNotSent);
}

void record(Outcome& outcome, Answer answer, bool is_repeated) {
  if (is_repeated && may_have_acted(answer)) outcome.earlier_try_may_have_acted = true;
  outcome.response = std::move(answer.response);
}

Error interrupted_between_tries() { return {ErrorCode::kInterrupted, "interrupted between two tries"}; }

std::string cause(const Result<Response>& response) {
  if (response.ok()) return fmt::format("status {}", response.value().status);
  return response.error().why().empty() ? response.error().message() : response.error().why();
}

}  // namespace

Attempts::Attempts(Transport& transport, Clock& clock, AttemptLimits limits, RandomUnit random)
    : transport_(transport), clock_(clock), limits_(limits), backoff_(limits.backoff, std::move(random)) {}

std::vector<Outcome> Attempts::run(std::vector<Request> requests) {
  const Clock::time_point began = clock_.now();
  const Clock::time_point deadline = began + limits_.deadline;
  std::vector<Outcome> outcomes(requests.size(), Outcome{Error(ErrorCode::kFailed, "not sent")});
  std::vector<std::size_t> pending(requests.size());
  std::iota(pending.begin(), pending.end(), std::size_t{0});
  for (int attempt = 1; !pending.empty(); ++attempt) {
    std::vector<Request> batch;
    for (const std::size_t index : pending)
      batch.push_back(shortened(requests[index], deadline - clock_.now()));
    std::vector<Answer> answers = transport_.exchange(batch);
    Clock::time_point next_try = clock_.now();
    std::vector<std::size_t> repeated;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const std::optional<Clock::time_point> when = next_try_of(batch[i], answers[i], attempt, deadline);
      if (when) {
        repeated.push_back(pending[i]);
        next_try = std::max(next_try, *when);
      }
      record(outcomes[pending[i]], std::move(answers[i]), when.has_value());
    }
    pending = std::move(repeated);
    if (!pending.empty()) tell(requests[pending.front()], outcomes[pending.front()], began);
    if (!pending.empty() && !clock_.sleep_until(next_try)) {
      for (const std::size_t index : pending) outcomes[index].response = interrupted_between_tries();
      break;
    }
  }
  return outcomes;
}

/// Nobody likes to look at a command that says nothing: after the first second, and then four times a minute.
void Attempts::tell(const Request& request, const Outcome& outcome, Clock::time_point began) {
  using namespace std::chrono_literals;
  const Clock::time_point now = clock_.now();
  if (!limits_.on_wait || now - began < 1s || (told_at_ && now - *told_at_ < 15s)) return;
  told_at_ = now;
  const std::string host = request.url.substr(0, request.url.find('/', request.url.find("//") + 2));
  limits_.on_wait(fmt::format("no answer from {} yet ({}); trying for {} more", host, cause(outcome.response),
                              format_duration(began + limits_.deadline - now)));
}

std::optional<Clock::time_point> Attempts::next_try_of(const Request& request, const Answer& answer,
                                                       int attempt, Clock::time_point deadline) const {
  if (answer.hopeless || !limits_.is_retryable(answer.response) || !may_be_repeated(request, answer) ||
      (limits_.max_tries > 0 && attempt >= limits_.max_tries))
    return std::nullopt;
  std::optional<std::chrono::seconds> retry_after;
  if (answer.response.ok()) {
    retry_after = parse_retry_after(answer.response.value().header("retry-after"), clock_.wall_now());
  }
  const Clock::time_point when = clock_.now() + backoff_.delay(attempt, retry_after);
  if (when >= deadline) return std::nullopt;
  log(LogLevel::kInfo, fmt::format("{} {}: {}, trying again in {}", request.method, request.url,
                                   cause(answer.response), format_duration(when - clock_.now())));
  return when;
}

}  // namespace slipway::http
