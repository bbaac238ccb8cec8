#include "slipway/http/attempts.h"

#include <gtest/gtest.h>

#include "support/fake_transport.h"

namespace slipway::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::answer;
using test::FakeClock;
using test::FakeTransport;
using test::lost;
using test::unreachable;

Request request(const std::string& method, bool idempotent) {
  Request request;
  request.method = method;
  request.url = "https://tpu.googleapis.com/x";
  request.idempotent = idempotent;
  return request;
}

class AttemptsTest : public ::testing::Test {
 protected:
  Outcome run(FakeTransport& transport, const Request& one, AttemptLimits limits = {}) {
    Attempts attempts(transport, clock_, limits, [] { return 0.5; });
    return std::move(attempts.run({one}).front());
  }
  FakeClock clock_;
};

TEST_F(AttemptsTest, AReadIsRepeatedUntilItIsAnswered) {
  FakeTransport transport({lost(), answer(503, ""), answer(429, ""), answer(200, "{}")});
  const Outcome outcome = run(transport, request("GET", false));
  EXPECT_EQ(outcome.response->status, 200);
  EXPECT_EQ(transport.requests.size(), 4u);
  EXPECT_TRUE(outcome.earlier_try_may_have_acted);
}

TEST_F(AttemptsTest, AChangeWithoutARequestIdIsNotSentTwice) {
  FakeTransport transport({lost(), answer(200, "{}")});
  const Outcome outcome = run(transport, request("POST", false));
  EXPECT_EQ(outcome.response.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(transport.requests.size(), 1u);
}

TEST_F(AttemptsTest, AChangeWithoutARequestIdIsSentAgainWhenItNeverLeft) {
  FakeTransport transport({unreachable(), unreachable(), answer(200, "{}")});
  const Outcome outcome = run(transport, request("POST", false));
  EXPECT_EQ(outcome.response->status, 200);
  EXPECT_FALSE(outcome.earlier_try_may_have_acted);
}

TEST_F(AttemptsTest, WhatIsHopelessIsNotTriedAgain) {
  http::Answer nowhere = unreachable();
  nowhere.hopeless = true;
  FakeTransport transport({nowhere, answer(200, "{}")});
  EXPECT_EQ(run(transport, request("GET", false)).response.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(transport.requests.size(), 1u);
}

TEST_F(AttemptsTest, A503OnAChangeWithoutARequestIdIsTheAnswer) {
  FakeTransport transport({answer(503, ""), answer(200, "{}")});
  EXPECT_EQ(run(transport, request("POST", false)).response->status, 503);
}

TEST_F(AttemptsTest, ARateLimitedTryHasNotActed) {
  FakeTransport transport({answer(429, ""), answer(409, "")});
  const Outcome outcome = run(transport, request("POST", true));
  EXPECT_EQ(outcome.response->status, 409);
  EXPECT_FALSE(outcome.earlier_try_may_have_acted);
}

TEST_F(AttemptsTest, TheDeadlineHoldsForAllTriesTogether) {
  FakeTransport transport({answer(503, "")});
  transport.clock = &clock_;
  transport.takes = milliseconds(100);
  const auto began = clock_.now();
  const Outcome outcome = run(transport, request("GET", true), {.deadline = seconds(20)});
  EXPECT_EQ(outcome.response->status, 503);
  EXPECT_LE(clock_.now() - began, seconds(20));
  EXPECT_GT(transport.requests.size(), 4u);
  for (const Request& sent : transport.requests) EXPECT_LE(sent.timeout, seconds(20));
  EXPECT_LT(transport.requests.back().timeout, seconds(20));
}

TEST_F(AttemptsTest, ARetryAfterBeyondTheDeadlineEndsItAtOnce) {
  FakeTransport transport({answer(503, "", {{"retry-after", "3600"}})});
  EXPECT_EQ(run(transport, request("GET", true)).response->status, 503);
  EXPECT_EQ(transport.requests.size(), 1u);
  EXPECT_EQ(clock_.sleeps, 0);
}

TEST_F(AttemptsTest, ARetryAfterIsKept) {
  FakeTransport transport({answer(429, "", {{"retry-after", "30"}}), answer(200, "{}")});
  const auto began = clock_.now();
  EXPECT_EQ(run(transport, request("GET", true)).response->status, 200);
  EXPECT_GE(clock_.now() - began, seconds(30));
}

TEST_F(AttemptsTest, AnInterruptBetweenTwoTriesEndsIt) {
  FakeTransport transport({answer(503, "")});
  clock_.sleeps_left = 1;
  EXPECT_EQ(run(transport, request("GET", true)).response.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(transport.requests.size(), 2u);
}

TEST_F(AttemptsTest, TheNumberOfTriesCanBeLimited) {
  FakeTransport transport({unreachable()});
  run(transport, request("GET", true), {.deadline = seconds(1'000), .max_tries = 3});
  EXPECT_EQ(transport.requests.size(), 3u);
}

TEST_F(AttemptsTest, OfManyOnlyTheUnansweredAreRepeated) {
  FakeTransport transport;
  int failures = 2;
  transport.respond = [&](const Request& one) {
    if (one.url == "https://h/3" && failures-- > 0) return lost();
    return answer(200, one.url);
  };
  std::vector<Request> requests;
  for (int i = 0; i < 5; ++i)
    requests.push_back(request("GET", true)), requests.back().url = "https://h/" + std::to_string(i);
  Attempts attempts(transport, clock_, {}, [] { return 0.5; });
  const auto outcomes = attempts.run(requests);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(outcomes[i].response.value().body, "https://h/" + std::to_string(i));
  EXPECT_EQ(transport.requests.size(), 7u);
}

}  // namespace
}  // namespace slipway::http
