#include "slipway/launch/job_spec.h"

#include <gtest/gtest.h>

namespace slipway::launch {
namespace {

JobSpec job() {
  JobSpec spec;
  spec.name = "train-1";
  spec.home = {"bucket", "runs"};
  spec.command = "python3 train.py";
  return spec;
}

std::string refusal(const JobSpec& spec) {
  const Result<void> checked = check_job(spec);
  if (checked.ok()) return "it was taken";
  EXPECT_EQ(checked.error().code(), ErrorCode::kUsage);
  return checked.error().message();
}

TEST(JobSpec, TheShortestThatRunsIsTaken) { EXPECT_EQ(refusal(job()), "it was taken"); }

TEST(JobSpec, ASecretIsNeverTakenByValue) {
  JobSpec spec = job();
  spec.secrets = {{"TOKEN", "hunter2"}};
  EXPECT_NE(refusal(spec).find("must refer to file:/PATH or secret:projects/"), std::string::npos);
  spec.secrets = {{"TOKEN", "file:/etc/token"}, {"KEY", "secret:projects/p/secrets/s/versions/latest"}};
  EXPECT_EQ(refusal(spec), "it was taken");
}

TEST(JobSpec, AStepRuleNeedsAPlaceWhereStepsAreCounted) {
  JobSpec spec = job();
  spec.done_when = "step:100";
  EXPECT_NE(refusal(spec).find("needs --checkpoint-dir"), std::string::npos);
  spec.checkpoint_dir = "gs://bucket/ck";
  EXPECT_EQ(refusal(spec), "it was taken");
  spec.done_when = "step:many";
  EXPECT_NE(refusal(spec).find("there is no rule"), std::string::npos);
}

TEST(JobSpec, WhatCannotBeAVariableUserOrFolderIsRefused) {
  JobSpec spec = job();
  spec.environment = {{"A B", "c"}};
  EXPECT_NE(refusal(spec), "it was taken");
  spec = job();
  spec.user = "-x";
  EXPECT_NE(refusal(spec), "it was taken");
  spec = job();
  spec.checkpoint_dir = "relative/ck";
  EXPECT_NE(refusal(spec), "it was taken");
  spec.checkpoint_dir = "gs://bucket";
  EXPECT_NE(refusal(spec), "it was taken");
  spec = job();
  spec.command = std::string("a\0b", 3);
  EXPECT_NE(refusal(spec), "it was taken");
}

TEST(JobSpec, TheSameWordsHaveTheSameDigestAndOthersAnother) {
  JobSpec spec = job();
  const std::string digest = job_digest(spec);
  EXPECT_EQ(digest.size(), 64u);
  EXPECT_EQ(job_digest(job()), digest);
  spec.command += " --steps 10";
  EXPECT_NE(job_digest(spec), digest);
}

TEST(Release, WordsAreTheContractsOwn) {
  EXPECT_EQ(*parse_release("on-success"), Release::kOnSuccess);
  EXPECT_EQ(parse_release("on-succes").error().why(), "did you mean 'on-success'?");
}

}  // namespace
}  // namespace slipway::launch
