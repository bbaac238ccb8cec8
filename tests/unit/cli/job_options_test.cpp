#include "cli/job_options.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

JobOptions words() {
  JobOptions options;
  options.name = "train";
  options.bucket = "gs://bucket/runs/";
  options.command = "true";
  return options;
}

TEST(JobOptionsTest, WordsBecomeValues) {
  JobOptions options = words();
  options.backoff = "2s..1m30s";
  options.grace = "2m";
  options.fatal_codes = "3,4";
  options.env = {"A=b=c", "EMPTY="};
  options.secret = {"T=secret:projects/p/secrets/s/versions/1"};
  options.log_size = 2;
  const auto job = job_spec(options);
  ASSERT_TRUE(job.ok()) << job.error().message();
  EXPECT_EQ(launch::job_home(*job), "runs/train");
  EXPECT_EQ(job->backoff_most, std::chrono::seconds(90));
  EXPECT_EQ(job->grace, std::chrono::seconds(120));
  EXPECT_EQ(job->fatal_codes, (std::vector<int>{3, 4}));
  EXPECT_EQ(job->environment[0].second, "b=c");
  EXPECT_EQ(job->environment[1].second, "");
  EXPECT_EQ(job->log_bytes, 2 << 20);
}

TEST(JobOptionsTest, ASecretItselfIsRefused) {
  JobOptions options = words();
  options.secret = {"T=hunter2"};
  const auto job = job_spec(options);
  ASSERT_FALSE(job.ok());
  EXPECT_EQ(job.error().message().find("hunter2"), std::string::npos) << "nor is it repeated";
}

TEST(JobOptionsTest, WordsWithoutAMeaningAreNamed) {
  const auto refusal = [](const auto& change) {
    JobOptions options = words();
    change(options);
    const auto job = job_spec(options);
    return job.ok() ? "" : job.error().message();
  };
  EXPECT_EQ(refusal([](JobOptions& o) { o.env = {"=x"}; }), "--env: '=x' is not NAME=VALUE");
  EXPECT_EQ(refusal([](JobOptions& o) { o.checkpoint_rule = "tf"; }),
            "--checkpoint-rule: 'tf' is neither orbax nor plain");
  EXPECT_EQ(refusal([](JobOptions& o) { o.fatal_codes = "2,x"; }),
            "--fatal-codes: 'x' is no exit code from 1 to 255");
  EXPECT_NE(refusal([](JobOptions& o) { o.backoff = "10m..1s"; }), "");
}

}  // namespace
}  // namespace slipway::cli
