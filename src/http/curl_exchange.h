#pragma once

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "slipway/http/curl_transport.h"

namespace slipway::http {

/// Nothing when we send to this URL; else why not (kUsage), decided before any name is resolved.
std::optional<Error> refusal(const Request& request);

/// Frees a list of headers, of which one may have been the token. (libcurl keeps copies of its own while it
/// sends, and does not wipe them.)
struct WipeHeaders {
  void operator()(curl_slist* list) const;
};

/// One request as an easy handle, from its options to its answer. Stays where it was made: libcurl points
/// into it.
class CurlExchange {
 public:
  CurlExchange(const Request& request, const std::string& user_agent, const CurlOptions& options);
  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;

  CURL* handle() const { return easy_.get(); }
  bool is_read() const { return request_.method == "GET" || request_.method == "HEAD"; }
  Exchange stage() const;
  /// The answer, once libcurl says how the transfer ended.
  Answer finish(CURLcode result);
  /// The answer of a transfer that we gave up because of signal `number`.
  Answer give_up(int signal_number) const;

 private:
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);

  template <typename Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(easy_.get(), option, value);
  }
  void set_policy(const CurlOptions& options);
  void set_proxy(const Proxy& proxy);
  void set_limits(const CurlOptions& options);
  void set_headers(const std::string& user_agent);
  void set_method();
  void add_header(const std::string& line);
  bool take_header(std::string_view line);
  Result<Response> result_of(CURLcode result);
  std::string where() const { return request_.method + " " + request_.url; }

  const Request& request_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_;
  std::unique_ptr<curl_slist, WipeHeaders> headers_;
  std::size_t max_body_;
  std::size_t header_bytes_ = 0;
  bool headers_complete_ = false;
  bool body_too_large_ = false;
  Response response_;
  char problem_[CURL_ERROR_SIZE] = "";
};

}  // namespace slipway::http
