#include "http/curl_exchange.h"

#include <string.h>

#include <netdb.h>

#include <algorithm>
#include <cctype>

#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"

namespace slipway::http {
namespace {

/// Connections older than this are not used again: load balancers forget them without a word.
constexpr long kOldestConnection = 300;
constexpr std::size_t kMaxHeaders = std::size_t{1} << 20;

/// A name server that answers so quickly is asked once more; one that does not answer is not.
constexpr curl_off_t kQuickAnswer = 2'000'000;

/// The name servers say that there is no such host (NXDOMAIN): libcurl 7.88 calls that and a name server that
/// is down by one code.
bool is_no_name(const std::string& url) {
  const Result<Origin> origin = parse_origin(url);
  if (!origin.ok()) return false;
  addrinfo* found = nullptr;
  const int result = ::getaddrinfo(origin->host.c_str(), nullptr, nullptr, &found);
  if (found != nullptr) ::freeaddrinfo(found);
  return result == EAI_NONAME || result == EAI_NODATA;
}

bool is_header_text(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return (c >= 0 && c < 32 && c != '\t') || c == 127; });
}

ErrorCode code_of(CURLcode result) {
  switch (result) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return ErrorCode::kDenied;
    case CURLE_URL_MALFORMAT:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
      return ErrorCode::kUsage;
    case CURLE_UNSUPPORTED_PROTOCOL:  // "Received HTTP/0.9 when not allowed"
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_FILESIZE_EXCEEDED:
    case CURLE_WRITE_ERROR:
      return ErrorCode::kFailed;
    case CURLE_OUT_OF_MEMORY:
    case CURLE_FAILED_INIT:
      return ErrorCode::kLocal;
    default:
      return ErrorCode::kUnavailable;
  }
}

}  // namespace

std::optional<Error> refusal(const Request& request) {
  Result<Origin> origin = parse_origin(request.url);
  if (!origin.ok()) return std::move(origin).error();
  const bool may_be_plain = is_loopback_host(origin->host) || is_metadata_host(origin->host);
  if (origin->scheme != "https" && !may_be_plain) {
    return Error(ErrorCode::kUsage, fmt::format("will not send to {} without TLS", printable(origin->host)))
        .why("plain http is for loopback addresses and metadata servers only; use https://");
  }
  if (!is_header_text(request.bearer.reveal())) {
    return Error(ErrorCode::kUsage, "the access token holds a character that no header can carry");
  }
  for (const auto& [name, value] : request.headers) {
    if (!is_header_text(name) || !is_header_text(value)) {
      return Error(ErrorCode::kUsage,
                   fmt::format("the header '{}' holds a control character", printable(name)));
    }
  }
  return std::nullopt;
}

CurlExchange::CurlExchange(const Request& request, const std::string& user_agent, const CurlOptions& options)
    : request_(request), easy_(curl_easy_init(), &curl_easy_cleanup), max_body_(options.max_body) {
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_ERRORBUFFER, problem_);
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &CurlExchange::on_body);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_HEADERFUNCTION, &CurlExchange::on_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set_policy(options);
  set_limits(options);
  set_method();
  set_headers(user_agent);
}

void CurlExchange::set_policy(const CurlOptions& options) {
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_HTTP09_ALLOWED, 0L);
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_ACCEPT_ENCODING, "");
  if (!options.ca_file.empty()) set(CURLOPT_CAINFO, options.ca_file.c_str());
  const Result<Origin> origin = parse_origin(request_.url);
  const bool local = origin.ok() && (is_loopback_host(origin->host) || is_metadata_host(origin->host));
  if (request_.bypass_proxy || local) {
    set(CURLOPT_PROXY, "");
  } else if (!options.proxy.url.empty()) {
    set_proxy(options.proxy);
  }
  // With TLS a batch waits for its first connection: if that speaks HTTP/2, it carries them all.
  if (origin.ok() && origin->scheme == "https") set(CURLOPT_PIPEWAIT, 1L);
}

void CurlExchange::set_proxy(const Proxy& proxy) {
  set(CURLOPT_PROXY, proxy.url.c_str());
  if (proxy.username.empty()) return;
  set(CURLOPT_PROXYUSERNAME, proxy.username.c_str());
  set(CURLOPT_PROXYPASSWORD, proxy.password.reveal().c_str());
}

void CurlExchange::set_limits(const CurlOptions& options) {
  const auto limited = [&](std::chrono::milliseconds wanted) {
    const bool shorter = options.longest_try.count() > 0 && options.longest_try < wanted;
    return static_cast<long>((shorter ? options.longest_try : wanted).count());
  };
  set(CURLOPT_TIMEOUT_MS, limited(request_.timeout));
  set(CURLOPT_CONNECTTIMEOUT_MS, limited(request_.connect_timeout));
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_limit.count()));
  set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(options.max_body));
  set(CURLOPT_MAXLIFETIME_CONN, kOldestConnection);
  if (!is_read() && !request_.idempotent) set(CURLOPT_FRESH_CONNECT, 1L);
}

void CurlExchange::set_method() {
  if (request_.method == "HEAD") set(CURLOPT_NOBODY, 1L);
  if (request_.method == "GET" || request_.method == "HEAD") return;
  if (request_.method == "POST" || !request_.body.empty()) {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.data());
  }
  set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

void CurlExchange::set_headers(const std::string& user_agent) {
  set(CURLOPT_USERAGENT, user_agent.c_str());
  add_header("Expect:");  // a 100-continue round trip buys nothing and stalls on servers that ignore it
  for (const auto& [name, value] : request_.headers) add_header(name + ": " + value);
  if (!request_.bearer.empty()) {
    std::string line = "Authorization: Bearer " + request_.bearer.reveal();
    add_header(line);
    wipe(line);
  }
  set(CURLOPT_HTTPHEADER, headers_.get());
}

void WipeHeaders::operator()(curl_slist* list) const {
  for (curl_slist* line = list; line != nullptr; line = line->next)
    ::explicit_bzero(line->data, ::strlen(line->data));
  curl_slist_free_all(list);
}

void CurlExchange::add_header(const std::string& line) {
  curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
  if (longer == nullptr) return;
  static_cast<void>(headers_.release());
  headers_.reset(longer);
}

std::size_t CurlExchange::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const std::size_t bytes = size * count;
  exchange.body_too_large_ = bytes > exchange.max_body_ - exchange.response_.body.size();
  if (exchange.body_too_large_) return 0;
  exchange.response_.body.append(data, bytes);
  return bytes;
}

std::size_t CurlExchange::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  const std::size_t bytes = size * count;
  return static_cast<CurlExchange*>(self)->take_header({data, bytes}) ? bytes : 0;
}

bool CurlExchange::take_header(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaders) return false;
  if (line.substr(0, 5) == "HTTP/") {  // a new block: what an interim answer (1xx) said is not this one's
    response_.headers.clear();
    headers_complete_ = false;
    return true;
  }
  const std::string_view text = trim(line);
  if (text.empty()) headers_complete_ = true;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    std::string& value = response_.headers[to_lower(trim(text.substr(0, colon)))];
    if (!value.empty()) value += ", ";  // RFC 9110 section 5.3; Cloud Storage sends X-Goog-Hash twice
    value += trim(text.substr(colon + 1));
  }
  return true;
}

Exchange CurlExchange::stage() const {
  long sent = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &sent);
  return sent == 0 ? Exchange::kNotSent : Exchange::kMaybeSent;
}

Answer CurlExchange::finish(CURLcode result) {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_TOTAL_TIME_T, &microseconds);
  const Exchange exchange = stage();
  Answer answer{result_of(result), exchange};
  const bool was_quick = microseconds < kQuickAnswer;
  answer.hopeless = result == CURLE_COULDNT_RESOLVE_HOST && was_quick && is_no_name(request_.url);
  if (log_enabled(LogLevel::kDebug)) {
    log(LogLevel::kDebug, fmt::format("{} {} {}ms", where(),
                                      answer.response.ok() ? std::to_string(answer.response->status)
                                                           : answer.response.error().why(),
                                      microseconds / 1000));
  }
  return answer;
}

Result<Response> CurlExchange::result_of(CURLcode result) {
  if (body_too_large_ || result == CURLE_FILESIZE_EXCEEDED) {
    return Error(ErrorCode::kFailed, where() + ": the answer is too large")
        .why(fmt::format("its body is larger than {} bytes", max_body_));
  }
  if (header_bytes_ > kMaxHeaders) {
    return Error(ErrorCode::kFailed, where() + ": the answer is too large")
        .why("its headers are larger than 1 MiB");
  }
  if (result != CURLE_OK) {
    const std::string said = *problem_ != '\0' ? problem_ : curl_easy_strerror(result);
    return Error(code_of(result), where() + ": no answer").why(printable(said));
  }
  // libcurl 7.88 calls an answer that ends inside its headers a success.
  if (!headers_complete_) {
    return Error(ErrorCode::kUnavailable, where() + ": no answer")
        .why("the connection was closed inside the headers");
  }
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  return std::move(response_);
}

Answer CurlExchange::give_up(int signal_number) const {
  const Exchange exchange = stage();
  const bool may_have_acted = exchange == Exchange::kMaybeSent && !is_read();
  Error error = Error::interrupted(signal_number, where() + ": interrupted");
  if (may_have_acted)
    error = std::move(error).why(
        "the request was sent and its answer did not come: it may have been carried out");
  return {std::move(error), exchange};
}

}  // namespace slipway::http
