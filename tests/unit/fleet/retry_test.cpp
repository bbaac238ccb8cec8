#include "fleet/retry.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace slipway::fleet {
namespace {

using ssh::Failed;
using std::chrono::milliseconds;

Failed failed(Failed::Kind kind, ssh::Phase phase = ssh::Phase::kConnect) {
  return {kind, phase, false, "why"};
}

TEST(Retry, ARefusedOrSilentWorkerIsTriedAgain) {
  EXPECT_TRUE(may_retry(failed(Failed::Kind::kUnreachable), ECONNREFUSED));
  EXPECT_TRUE(may_retry(failed(Failed::Kind::kUnreachable, ssh::Phase::kHandshake), 0));
  EXPECT_TRUE(may_retry(failed(Failed::Kind::kTimedOut), 0));
  EXPECT_TRUE(may_retry(failed(Failed::Kind::kTurnedAway, ssh::Phase::kHandshake), 0));
}

TEST(Retry, ARefusedKeyAndAWrongHostKeyAreFinal) {
  EXPECT_FALSE(may_retry(failed(Failed::Kind::kAuth, ssh::Phase::kAuth), 0));
  EXPECT_FALSE(may_retry(failed(Failed::Kind::kHostKey, ssh::Phase::kHostKey), 0));
  EXPECT_FALSE(may_retry(failed(Failed::Kind::kProtocol, ssh::Phase::kHandshake), 0));
}

TEST(Retry, WhatHasStartedIsNeverTriedAgain) {
  for (const auto kind : {Failed::Kind::kUnreachable, Failed::Kind::kTimedOut, Failed::Kind::kLost}) {
    Failed end = failed(kind, ssh::Phase::kExec);
    end.started = true;
    EXPECT_FALSE(may_retry(end, 0));
  }
}

TEST(Retry, AnAddressThatCannotBeIsFinal) {
  EXPECT_FALSE(may_retry(failed(Failed::Kind::kUnreachable), EINVAL));
  EXPECT_FALSE(may_retry(failed(Failed::Kind::kUnreachable), EAFNOSUPPORT));
}

TEST(Retry, WhatTheWayKnowsToBeHopelessIsFinal) {
  Failed end = failed(Failed::Kind::kUnreachable, ssh::Phase::kHandshake);
  end.hopeless = true;
  EXPECT_FALSE(may_retry(end, 0));
}

TEST(Retry, DelaysGrowToTwoSecondsAndAreSpreadOverTheirWholeRange) {
  const auto longest = [](int attempt) { return retry_delay(attempt, [] { return 0.999999; }); };
  EXPECT_NEAR(std::chrono::duration<double>(longest(1)).count(), 0.25, 0.001);
  EXPECT_NEAR(std::chrono::duration<double>(longest(3)).count(), 1.0, 0.001);
  EXPECT_NEAR(std::chrono::duration<double>(longest(60)).count(), 2.0, 0.001);
  EXPECT_EQ(retry_delay(60, [] { return 0.0; }), milliseconds(10));
}

}  // namespace
}  // namespace slipway::fleet
