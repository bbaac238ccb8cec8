#include "slipway/launch/job_status.h"

#include <gtest/gtest.h>

namespace slipway::launch {
namespace {

const std::map<std::string, std::string> kObjects = {
    {"attempt/000001/ready/0-0/b~i~10.0.0.1", ""},
    {"attempt/000001/ready/0-1/b~i~10.0.0.2", ""},
    {"attempt/000001/go",
     "coordinator=10.0.0.1\nstep=-1\ntime=2026-11-21T01:00:00Z\nmember=0-0/b\nmember=0-1/b\n"},
    {"attempt/000001/end", "reason=failed\nslot=0-1\ntext=slice 0 worker 1 ended with 7: boom\n"},
    {"attempt/000001/exit/0-1/b~7~-", ""},
    {"attempt/000001/exit/0-0/b~0~tp", ""},
    {"attempt/000001/verdict", "verdict=failed\ntext=boom\nstep=40\nfailures=1\npreemptions=0\n"},
    {"attempt/000002/late", "missing=0-1 \nseconds=700\n"},
    {"slot/0-10", "phase=running\nattempt=2\naddress=10.0.0.3\nphases=boot=1s code=2s \n"},
    {"slot/0-2", "phase=barrier\nattempt=2\n"},
    {"stop", ""},
};

TEST(JobStatus, TellsEveryAttemptByNumber) {
  const JobStatus status = job_status(kObjects);
  ASSERT_EQ(status.attempts.size(), 2u);
  const AttemptStatus& first = status.attempts[0];
  EXPECT_EQ(first.ready, (std::vector<std::string>{"0-0", "0-1"}));
  EXPECT_EQ(first.started, "2026-11-21T01:00:00Z");
  EXPECT_EQ(first.end_text, "slice 0 worker 1 ended with 7: boom");
  ASSERT_EQ(first.exits.size(), 2u);
  EXPECT_EQ(first.exits[0].worker, 0);
  EXPECT_TRUE(first.exits[0].told);
  EXPECT_TRUE(first.exits[0].preempted);
  EXPECT_EQ(first.exits[1].code, "7");
  EXPECT_EQ(first.verdict->step, 40);
  EXPECT_EQ(status.attempts[1].late, std::vector<std::string>{"0-1"});
  EXPECT_FALSE(status.attempts[1].verdict);
}

TEST(JobStatus, Case30TimesThatMachinesWroteDecideNothing) {
  auto skewed = kObjects;
  skewed["attempt/000001/go"] = "coordinator=10.0.0.1\nstep=-1\ntime=2031-01-01T00:00:00Z\nmember=0-0/b\n";
  skewed["attempt/000001/verdict"] = "verdict=failed\ntext=boom\nstep=40\ntime=1999-01-01T00:00:00Z\n";
  const JobStatus status = job_status(skewed);
  ASSERT_EQ(status.attempts.size(), 2u);
  EXPECT_EQ(status.attempts[0].number, 1) << "attempts are ordered by number";
  EXPECT_EQ(status.attempts[0].verdict->word, "failed");
  EXPECT_EQ(status.attempts[1].number, 2);
}

TEST(JobStatus, PutsWorkersInTheOrderOfTheirNumbers) {
  const JobStatus status = job_status(kObjects);
  ASSERT_EQ(status.slots.size(), 2u);
  EXPECT_EQ(status.slots[0].worker, 2);
  EXPECT_EQ(status.slots[1].phases, "boot=1s code=2s");
  EXPECT_TRUE(status.stop_asked);
  EXPECT_FALSE(status.finished);
}

TEST(JobStatus, ReadsAFewObjectsOnly) {
  std::vector<std::string> names;
  for (const auto& [name, content] : kObjects) names.push_back(name);
  EXPECT_EQ(objects_to_read(names),
            (std::vector<std::string>{"attempt/000001/end", "attempt/000001/go", "attempt/000001/verdict",
                                      "attempt/000002/late", "slot/0-10", "slot/0-2"}));
}

TEST(JobStatus, PassesOverWhatItDoesNotKnow) {
  EXPECT_TRUE(
      job_status(
          {{"", ""}, {"attempt/x/go", ""}, {"attempt/000001", ""}, {"slot/a-b", ""}, {"new/thing", ""}})
          .attempts.empty());
}

}  // namespace
}  // namespace slipway::launch
