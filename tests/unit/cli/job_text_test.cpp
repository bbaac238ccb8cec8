#include "cli/job_text.h"

#include <gmock/gmock.h>

#include "slipway/core/json.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

launch::AttemptStatus failed_attempt() {
  launch::AttemptStatus attempt;
  attempt.number = 2;
  attempt.started = "2026-11-21T01:00:00Z";
  attempt.resume_step = 40;
  attempt.ready = {"0-0", "0-1", "1-0"};
  attempt.end_reason = "failed";
  attempt.end_text = "slice 1 worker 0 ended with 9: no \x1b[31mmemory";
  attempt.exits = {{0, 0, "143", true, false}, {0, 1, "143", true, false}, {1, 0, "9", false, false}};
  attempt.verdict = launch::Verdict{"failed", "", "2026-11-21T01:01:00Z", 60, 1, 0};
  return attempt;
}

JobPlace place() {
  JobPlace found;
  found.bucket = "bucket";
  found.launch = {1, "runs/train/1"};
  return found;
}

const auto kNow = *parse_rfc3339("2026-11-21T01:02:00Z");

TEST(JobText, NamesTheFirstToFailAndCountsTheOthers) {
  EXPECT_EQ(end_text(failed_attempt()),
            "slice 1 worker 0 ended with 9: no ^[[31mmemory (2 workers followed)");
}

TEST(JobText, CommandsNoTerminalWithAWorkersWords) {
  launch::JobStatus status;
  status.attempts = {failed_attempt()};
  const std::string text = job_text(place(), "train", status, kNow);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(
      text,
      HasSubstr(
          "2        failed  step 40  2m ago   3      step 60    2x exit 143, told to end; 1x exit 9\n"));
  EXPECT_THAT(text, HasSubstr("newest committed checkpoint seen: step 60\n"));
  EXPECT_THAT(text, HasSubstr("resource: gone\n"));
}

TEST(JobText, SaysWhereAJobThatHasNoAttemptStands) {
  launch::JobStatus status;
  EXPECT_EQ(job_state(status), "launched; no worker has said anything yet");
  status.slots.resize(1);
  EXPECT_EQ(job_state(status), "booting");
  status.stop_asked = true;
  EXPECT_EQ(job_state(status), "stopping");
}

TEST(JobText, AnAttemptThatEndsDoesNotRun) {
  launch::JobStatus status;
  launch::AttemptStatus attempt;
  attempt.number = 1;
  attempt.started = "2026-11-20T08:00:00Z";
  attempt.ready = {"0-0", "1-0"};
  attempt.exits = {{0, 0, "0", false, false}};
  status.attempts = {attempt};
  EXPECT_EQ(job_state(status), "attempt 1 runs, from the beginning");
  status.attempts[0].exits.push_back({1, 0, "0", false, false});
  EXPECT_EQ(job_state(status), "attempt 1 is ending: 2 of 2 workers have ended");
  status.attempts[0].exits.pop_back();
  status.attempts[0].end_reason = "failed";
  EXPECT_EQ(job_state(status), "attempt 1 is ending: 1 of 2 workers have ended");
}

TEST(JobText, AStartIsToldWhenEveryWorkerHasSpoken) {
  launch::JobStatus status;
  launch::SlotStatus slot;
  slot.attempt = 1;
  slot.phases = "boot=0.3s setup=2.0s first-output=0.1s";
  status.slots = {slot, slot};
  status.slots[1].worker = 1;
  status.slots[1].phases = "boot=0.2s setup=31.5s";
  EXPECT_EQ(start_text(status, 1), "") << "one has not";
  status.slots[1].phases += " first-output=0.4s";
  EXPECT_EQ(start_text(status, 1), "boot 0.3s, setup 31.5s (slice 0 worker 1), first-output 0.4s");
  EXPECT_EQ(start_text(status, 2), "") << "of another attempt";
}

TEST(JobText, TheDocumentHasAllOfIt) {
  launch::JobStatus status;
  status.attempts = {failed_attempt()};
  const Json document = *parse_json(job_document(place(), "train", status));
  EXPECT_EQ(document["objects"], "gs://bucket/runs/train/1");
  EXPECT_EQ(document["attempts"][0]["verdict"], "failed");
  EXPECT_EQ(document["attempts"][0]["exits"][2]["code"], "9");
  EXPECT_EQ(document["committedStep"], 60);
}

}  // namespace
}  // namespace slipway::cli
