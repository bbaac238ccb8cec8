#pragma once

#include <string>
#include <utility>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/random.h"
#include "slipway/http/transport.h"

namespace slipway::tpu {

/// The way to those who give tokens: OAuth and STS endpoints, IAM, metadata servers. Three tries in all, as
/// google-auth does it: pauses of one and two seconds, 10 % more or less, after 408, 429, 5xx, a lost
/// connection and the errors that OAuth calls temporary. All of these requests are harmless when they arrive
/// twice.
class TokenClient {
 public:
  /// Transport and clock outlive it.
  TokenClient(http::Transport& transport, Clock& clock, std::vector<std::string> allowed_hosts,
              RandomUnit random)
      : transport_(transport),
        clock_(clock),
        allowed_hosts_(std::move(allowed_hosts)),
        random_(std::move(random)) {}

  /// Only to a host that may be sent secrets. Errors: kUsage when it may not; the last cause; kInterrupted.
  Result<http::Response> send_secret(const http::Request& request) const;
  /// The same for a request with nothing in it worth hiding: to any host.
  Result<http::Response> send_open(const http::Request& request) const;

  Clock& clock() const { return clock_; }

 private:
  Clock::duration pause_after(int attempt, const Result<http::Response>& answer) const;

  http::Transport& transport_;
  Clock& clock_;
  std::vector<std::string> allowed_hosts_;
  RandomUnit random_;
};

/// A POST of form fields, as OAuth wants it.
http::Request form_request(const std::string& url,
                           const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace slipway::tpu
