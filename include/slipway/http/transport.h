#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/core/secret.h"

namespace slipway::http {

/// One HTTP request. The bearer token travels apart from the other headers, so that nothing can print it by
/// accident.
struct Request {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  Secret bearer;  ///< becomes "Authorization: Bearer ..." unless empty
  std::string body;
  /// From the first byte sent to the last one read. A server that sends less than 1 byte in 30 s is given up
  /// earlier.
  std::chrono::milliseconds timeout{60'000};
  std::chrono::milliseconds connect_timeout{10'000};
  /// Metadata servers and loopback are never asked through a proxy.
  bool bypass_proxy = false;
  /// Harmless when the server gets it twice. libcurl by itself repeats a request whose reused connection
  /// turns out to be dead; one that is not idempotent gets a new connection instead. A GET always counts as
  /// idempotent.
  bool idempotent = false;
};

struct Response {
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case; one that came twice as "a, b"
  std::string body;

  std::string header(const std::string& lower_case_name) const;
};

/// A body larger than this is an error, never a part of an answer.
inline constexpr std::size_t kMaxBody = std::size_t{32} << 20;

/// Where a failed exchange stood, for the question whether the server can have acted.
enum class Exchange { kNotSent, kMaybeSent };

/// What came of one request. Any status is a successful exchange, a 404 as well as a 302 (redirects are never
/// followed); an error means that no whole answer came: kUnavailable (trying again may help), kDenied (TLS
/// says it is not the server asked for), kUsage (not an address that we send to; nothing was contacted),
/// kFailed (body too large, no HTTP), kInterrupted.
struct Answer {
  Result<Response> response;
  Exchange exchange = Exchange::kMaybeSent;
  /// No answer will ever come from there, such as from a host whose name does not exist: asking again is in
  /// vain.
  bool hopeless = false;
};

/// Sends requests. A seam: tests answer from memory.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Many at once over few connections; answers in the order of the requests.
  virtual std::vector<Answer> exchange(const std::vector<Request>& requests) = 0;

  Result<Response> send(const Request& request);
  std::vector<Result<Response>> send_all(const std::vector<Request>& requests);
};

}  // namespace slipway::http
