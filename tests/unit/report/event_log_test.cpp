#include "slipway/report/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "support/fake_clock.h"
#include "support/targets.h"
#include "support/temp_folder.h"

namespace slipway::report {
namespace {

using slipway::test::FakeClock;
using slipway::test::make_targets;
using slipway::test::TempFolder;
using ssh::Phase;
using FieldsOf = std::map<std::string, std::set<std::string>>;

std::vector<Json> events_in(const std::string& path) {
  std::vector<Json> events;
  for (const std::string& line : split(trim(read_file(path).value()), '\n')) {
    Result<Json> event = parse_json(line);
    EXPECT_TRUE(event) << line;
    if (event) events.push_back(std::move(*event));
  }
  return events;
}

std::string word(const Json& value) { return value.get<std::string>(); }

class EventLogTest : public ::testing::Test {
 protected:
  std::unique_ptr<EventLog> open(const std::string& path) {
    auto log = EventLog::open(path, targets_, clock_,
                              [this](const Error& error) { told_.push_back(error.message()); });
    EXPECT_TRUE(log) << log.error().message();
    return log ? std::move(*log) : nullptr;
  }
  /// Everything that can happen to two workers.
  std::vector<Json> whole_story() {
    const auto log = open(temp_ / "events");
    RunRecord run;
    run.run_id = "id";
    run.queued_resource = "qr";
    log->run_started(run);
    for (const Phase phase : {Phase::kConnect, Phase::kHandshake, Phase::kConnect, Phase::kAuth, Phase::kHeld,
                              Phase::kExec, Phase::kRun, Phase::kClosed})
      log->on_phase(1, phase);
    log->on_notice("interrupted");
    fleet::Outcome outcome;
    outcome.started_at = outcome.ended_at = clock_.wall_now();
    std::vector<fleet::Outcome> outcomes;
    for (const auto kind : {fleet::OutcomeKind::kOk, fleet::OutcomeKind::kExit, fleet::OutcomeKind::kSignal,
                            fleet::OutcomeKind::kLost}) {
      outcome.kind = kind;
      outcome.signal = kind == fleet::OutcomeKind::kSignal ? "KILL" : "";
      outcome.error = kind == fleet::OutcomeKind::kLost ? "gone \xff\x1b" : "";
      log->on_outcome(0, outcome);
      outcomes.push_back(outcome);
    }
    run.exit_code = 8;
    log->run_ended(run, outcomes);
    return events_in(temp_ / "events");
  }

  TempFolder temp_;
  FakeClock clock_;
  std::vector<fleet::Target> targets_ = make_targets(1, 2);
  std::vector<std::string> told_;
};

TEST_F(EventLogTest, TellsEachChangeOfAWorkerInOrder) {
  std::vector<std::string> names;
  for (const Json& event : whole_story()) names.push_back(word(event["event"]));
  EXPECT_THAT(names, ::testing::ElementsAre("run-started", "connecting", "connecting", "ready", "started",
                                            "notice", "ended", "ended", "ended", "ended", "run-ended"));
}

TEST_F(EventLogTest, NumbersAndTimesEveryEvent) {
  int expected = 0;
  for (const Json& event : whole_story()) {
    EXPECT_EQ(event["seq"], ++expected);
    EXPECT_EQ(event["time"], "2026-11-20T08:00:00.000Z");
  }
}

TEST_F(EventLogTest, ARepeatedTryIsAnotherAttempt) {
  const std::vector<Json> events = whole_story();
  EXPECT_EQ(events[1]["attempt"], 1);
  EXPECT_EQ(events[2]["attempt"], 2);
  EXPECT_EQ(events[2]["worker"], 1);
  EXPECT_EQ(events[2]["address"], "127.1.0.2");
}

/// The rows of the table in docs/events.md: what stands in code style in the first and the last column.
FieldsOf documented() {
  FieldsOf fields;
  const std::regex code("`([A-Za-z-]+)`");
  for (const std::string& line : split(read_file(SLIPWAY_SOURCE_DIR "/docs/events.md").value(), '\n')) {
    const std::vector<std::string> columns = split(line, '|');
    std::smatch name;
    if (columns.size() != 5 || !std::regex_search(columns[1], name, code) || name[1] == "event") continue;
    std::set<std::string>& its = fields[name[1]];
    for (std::sregex_iterator at(columns[3].begin(), columns[3].end(), code), end; at != end; ++at)
      its.insert((*at)[1]);
  }
  return fields;
}

TEST_F(EventLogTest, TheDocumentHasEveryEventAndField) {
  FieldsOf seen;
  for (const Json& event : whole_story()) {
    for (const auto& [key, value] : event.items()) {
      if (key != "seq" && key != "time" && key != "event") seen[word(event["event"])].insert(key);
    }
  }
  EXPECT_EQ(seen, documented());
}

TEST_F(EventLogTest, AFullDiskIsToldOnceAndKept) {
  const auto log = open("/dev/full");
  for (int i = 0; i < 3; ++i) {
    log->on_notice("x");
    log->drain();
  }
  ASSERT_NE(log->error(), nullptr);
  EXPECT_EQ(log->error()->code(), ErrorCode::kLocal);
  EXPECT_EQ(told_.size(), 1U);
}

TEST_F(EventLogTest, AFileThatCannotBeOpenedIsSaidBeforeTheRun) {
  const auto log = EventLog::open(temp_ / "no/such/folder", targets_, clock_);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace slipway::report
