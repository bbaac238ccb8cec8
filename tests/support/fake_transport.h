#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "slipway/http/transport.h"
#include "support/fake_clock.h"

namespace slipway::test {

/// An answer with a JSON body.
inline http::Answer answer(int status, std::string body, std::map<std::string, std::string> headers = {}) {
  http::Response response;
  response.status = status;
  response.headers = std::move(headers);
  response.body = std::move(body);
  return {std::move(response), http::Exchange::kMaybeSent};
}

/// No answer: the connection was lost after the request had left, or never made.
inline http::Answer lost() {
  return {Error(ErrorCode::kUnavailable, "no answer").why("connection reset by peer"),
          http::Exchange::kMaybeSent};
}
inline http::Answer unreachable() {
  return {Error(ErrorCode::kUnavailable, "no answer").why("connection refused"), http::Exchange::kNotSent};
}

/// Answers from memory: the next scripted answer for each request (the last is repeated), or whatever
/// `respond` says. Keeps the requests.
class FakeTransport final : public http::Transport {
 public:
  FakeTransport() = default;
  explicit FakeTransport(std::vector<http::Answer> script) : script_(std::move(script)) {}

  std::vector<http::Answer> exchange(const std::vector<http::Request>& wanted) override {
    std::vector<http::Answer> answers;
    for (const http::Request& request : wanted) {
      requests.push_back(request);
      answers.push_back(respond ? respond(request) : next());
      if (clock != nullptr) clock->advance(takes);
    }
    return answers;
  }

  std::function<http::Answer(const http::Request&)> respond;
  std::vector<http::Request> requests;
  FakeClock* clock = nullptr;  ///< moved on by `takes` for each request
  std::chrono::milliseconds takes{0};

 private:
  http::Answer next() {
    if (script_.empty()) return unreachable();
    const std::size_t index = std::min(used_++, script_.size() - 1);
    return script_[index];
  }

  std::vector<http::Answer> script_;
  std::size_t used_ = 0;
};

}  // namespace slipway::test
