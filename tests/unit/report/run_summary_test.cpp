#include "slipway/report/run_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/targets.h"

namespace slipway::report {
namespace {

using fleet::Outcome;
using fleet::OutcomeKind;
using slipway::test::make_targets;
using ::testing::ElementsAre;

Outcome outcome(OutcomeKind kind, std::string error = "", ssh::Phase phase = ssh::Phase::kConnect) {
  Outcome made;
  made.kind = kind;
  made.error = std::move(error);
  made.phase = phase;
  return made;
}

Outcome exit_with(int code) {
  Outcome made = outcome(OutcomeKind::kExit);
  made.exit_code = code;
  return made;
}

Outcome killed_by(std::string signal) {
  Outcome made = outcome(OutcomeKind::kSignal);
  made.signal = std::move(signal);
  return made;
}

std::vector<Outcome> all_ok(std::size_t count) {
  return std::vector<Outcome>(count, outcome(OutcomeKind::kOk));
}

TEST(RunSummary, AllOkIsOneLine) {
  EXPECT_THAT(summary_lines(make_targets(4, 2), all_ok(8)), ElementsAre("8 ok"));
}

TEST(RunSummary, FailuresAreToldApartByTheirEnd) {
  std::vector<Outcome> outcomes = all_ok(8);
  outcomes[2] = exit_with(3);
  outcomes[4] = exit_with(1);
  outcomes[5] = exit_with(1);
  outcomes[7] = killed_by("KILL");
  EXPECT_THAT(summary_lines(make_targets(4, 2), outcomes),
              ElementsAre("4 ok, 4 failed (exit 1: qr-2/[0-1]; exit 3: qr-1/0; signal KILL: qr-3/1)"));
}

TEST(RunSummary, OneCauseIsOneMessageHoweverManyWorkersHaveIt) {
  std::vector<Outcome> outcomes(37,
                                outcome(OutcomeKind::kAuth, "the worker refused the key", ssh::Phase::kAuth));
  EXPECT_THAT(summary_lines(make_targets(37, 1), outcomes),
              ElementsAre("qr-[0-36]/0 (37 workers): refused our key: the worker refused the key",
                          "0 ok, 37 refused our key (qr-[0-36]/0)"));
}

TEST(RunSummary, ManyDifferentCausesDoNotFillTheScreen) {
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 40; ++i)
    outcomes.push_back(outcome(OutcomeKind::kHostKey, "showed key " + std::to_string(i)));
  const auto lines = summary_lines(make_targets(40, 1), outcomes);
  ASSERT_EQ(lines.size(), 14u);
  EXPECT_EQ(lines[12], "and 28 other causes, each named in the JSON output");
  EXPECT_EQ(lines[13], "0 ok, 40 without the right host key (qr-[0-39]/0)");
}

TEST(RunSummary, TheSumNamesEveryKind) {
  const std::vector<Outcome> outcomes = {outcome(OutcomeKind::kOk),
                                         outcome(OutcomeKind::kTimeout, "told to stop after 5s"),
                                         outcome(OutcomeKind::kLost, "the connection closed"),
                                         outcome(OutcomeKind::kUnreachable, "Connection refused"),
                                         outcome(OutcomeKind::kHostKey, "not the pinned key"),
                                         outcome(OutcomeKind::kNotStarted, "qr-3/0 was missing")};
  EXPECT_EQ(
      summary_lines(make_targets(6, 1), outcomes).back(),
      "1 ok, 1 timed out (qr-1/0), 1 lost (qr-2/0), 1 unreachable (qr-3/0), 1 without the right host key "
      "(qr-4/0), "
      "1 not started (qr-5/0)");
}

TEST(RunSummary, WhatAWorkerSaidCannotCommandTheTerminal) {
  std::vector<Outcome> outcomes = {outcome(OutcomeKind::kUnreachable, "banner \x1b[2J")};
  EXPECT_EQ(summary_lines(make_targets(1, 1), outcomes).front(), "qr-0/0: unreachable: banner ^[[2J");
}

TEST(RunJson, IsTheContractsObject) {
  std::vector<Outcome> outcomes = {outcome(OutcomeKind::kOk), exit_with(3), killed_by("KILL"),
                                   outcome(OutcomeKind::kUnreachable, "Connection refused")};
  const auto epoch = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'500));
  outcomes[0].started_at = epoch;
  outcomes[0].ended_at = epoch + std::chrono::seconds(2);
  const RunRecord run{"r-1", "qr", epoch, epoch + std::chrono::seconds(3), 8};
  EXPECT_EQ(dump_json(run_json(run, make_targets(2, 2), outcomes), 1), R"({
 "runId": "r-1",
 "queuedResource": "qr",
 "startedAt": "1970-01-01T00:00:01.500Z",
 "endedAt": "1970-01-01T00:00:04.500Z",
 "exitCode": 8,
 "summary": {
  "ok": 1,
  "exit": 1,
  "signal": 1,
  "timeout": 0,
  "lost": 0,
  "unreachable": 1,
  "auth": 0,
  "host-key": 0,
  "not-started": 0
 },
 "workers": [
  {
   "slice": "qr-0",
   "sliceIndex": 0,
   "worker": 0,
   "address": "127.1.0.1",
   "outcome": "ok",
   "exitCode": 0,
   "startedAt": "1970-01-01T00:00:01.500Z",
   "endedAt": "1970-01-01T00:00:03.500Z"
  },
  {
   "slice": "qr-0",
   "sliceIndex": 0,
   "worker": 1,
   "address": "127.1.0.2",
   "outcome": "exit",
   "exitCode": 3
  },
  {
   "slice": "qr-1",
   "sliceIndex": 1,
   "worker": 0,
   "address": "127.1.1.1",
   "outcome": "signal",
   "signal": "KILL"
  },
  {
   "slice": "qr-1",
   "sliceIndex": 1,
   "worker": 1,
   "address": "127.1.1.2",
   "outcome": "unreachable",
   "phase": "connect",
   "error": "Connection refused"
  }
 ]
})");
}

}  // namespace
}  // namespace slipway::report
