#include "slipway/http/curl_transport.h"

#include <curl/curl.h>

#include <algorithm>
#include <deque>

#include "http/curl_exchange.h"
#include "slipway/core/clock.h"

namespace slipway::http {
namespace {

/// HTTP/2 carries them over one connection; HTTP/1.1 over kMaxConnections, as a browser does.
constexpr std::size_t kMaxInFlight = 64;
constexpr long kMaxConnections = 6;
constexpr int kLongestPollMs = 1'000;
/// After the first signal its descriptor stays readable, so the second one is looked for instead of waited
/// for.
constexpr int kInterruptedPollMs = 50;

void start_libcurl_once() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(started);
}

}  // namespace

class CurlTransport::Impl {
 public:
  Impl(const Interrupt* interrupt, std::string user_agent, CurlOptions options)
      : interrupt_(interrupt), user_agent_(std::move(user_agent)), options_(std::move(options)) {
    start_libcurl_once();
    multi_.reset(curl_multi_init());
    curl_multi_setopt(multi_.get(), CURLMOPT_MAX_HOST_CONNECTIONS, kMaxConnections);
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, 2 * kMaxConnections);
  }

  std::vector<Answer> exchange(const std::vector<Request>& requests) {
    answers_.assign(requests.size(), Answer{Error(ErrorCode::kFailed, "not sent"), Exchange::kNotSent});
    grace_ends_.reset();
    std::deque<std::size_t> waiting = admit(requests);
    while (!waiting.empty() || !running_.empty()) {
      if (interrupted()) give_up(waiting, requests);
      while (!waiting.empty() && running_.size() < kMaxInFlight) {
        start(requests[waiting.front()], waiting.front());
        waiting.pop_front();
      }
      if (!running_.empty()) step();
    }
    return std::move(answers_);
  }

 private:
  struct Running {
    std::unique_ptr<CurlExchange> exchange;
    std::size_t index;
  };

  bool interrupted() const { return interrupt_ != nullptr && interrupt_->requested(); }

  /// The positions of what may be sent; what is refused is answered here.
  std::deque<std::size_t> admit(const std::vector<Request>& requests) {
    std::deque<std::size_t> admitted;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (std::optional<Error> error = refusal(requests[i])) {
        answers_[i].response = std::move(*error);
      } else {
        admitted.push_back(i);
      }
    }
    return admitted;
  }

  void start(const Request& request, std::size_t index) {
    auto exchange = std::make_unique<CurlExchange>(request, user_agent_, options_);
    curl_multi_add_handle(multi_.get(), exchange->handle());
    running_.push_back({std::move(exchange), index});
  }

  /// Moves all transfers on, collects what ended, and waits for the next thing to happen.
  void step() {
    int still_running = 0;
    curl_multi_perform(multi_.get(), &still_running);
    if (collect() || running_.empty()) return;
    curl_waitfd signal{interrupt_ != nullptr ? interrupt_->fd() : -1, CURL_WAIT_POLLIN, 0};
    const bool watch_signal = interrupt_ != nullptr && !grace_ends_;
    curl_multi_poll(multi_.get(), &signal, watch_signal ? 1 : 0,
                    grace_ends_ ? kInterruptedPollMs : kLongestPollMs, nullptr);
  }

  bool collect() {
    bool any = false;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode result = message->data.result;
      finish(message->easy_handle, [&](CurlExchange& exchange) { return exchange.finish(result); });
      any = true;
    }
    return any;
  }

  /// Takes the transfer of `handle` out and stores what `answer` makes of it.
  template <typename MakeAnswer>
  void finish(CURL* handle, MakeAnswer answer) {
    for (auto at = running_.begin(); at != running_.end(); ++at) {
      if (at->exchange->handle() != handle) continue;
      answers_[at->index] = answer(*at->exchange);
      curl_multi_remove_handle(multi_.get(), handle);
      running_.erase(at);
      return;
    }
  }

  void begin_grace() {
    grace_ends_ = BootClock::now() + options_.interrupt_grace;
    const bool any_change = std::any_of(running_.begin(), running_.end(),
                                        [](const Running& one) { return !one.exchange->is_read(); });
    if (any_change && options_.on_interrupt_grace) options_.on_interrupt_grace();
  }

  void give_up(std::deque<std::size_t>& waiting, const std::vector<Request>& requests) {
    if (!grace_ends_) begin_grace();
    for (const std::size_t index : waiting) {
      const Request& request = requests[index];
      answers_[index].response = Error::interrupted(interrupt_->signal_number(),
                                                    request.method + " " + request.url + ": interrupted");
    }
    waiting.clear();
    const bool all = interrupt_->count() > 1 || BootClock::now() >= *grace_ends_;
    std::vector<CURL*> given_up;
    for (const Running& one : running_) {
      if (all || one.exchange->is_read()) given_up.push_back(one.exchange->handle());
    }
    for (CURL* handle : given_up) {
      finish(handle, [&](CurlExchange& exchange) { return exchange.give_up(interrupt_->signal_number()); });
    }
  }

  struct CloseMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };

  const Interrupt* interrupt_;
  std::string user_agent_;
  CurlOptions options_;
  std::unique_ptr<CURLM, CloseMulti> multi_;
  std::vector<Running> running_;
  std::vector<Answer> answers_;
  std::optional<Clock::time_point> grace_ends_;  ///< set by the first interrupt
};

CurlTransport::CurlTransport(const Interrupt* interrupt, std::string user_agent, CurlOptions options)
    : impl_(std::make_unique<Impl>(interrupt, std::move(user_agent), std::move(options))) {}
CurlTransport::~CurlTransport() = default;

std::vector<Answer> CurlTransport::exchange(const std::vector<Request>& requests) {
  return impl_->exchange(requests);
}

}  // namespace slipway::http
