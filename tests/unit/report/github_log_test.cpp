#include "slipway/report/github_log.h"

#include <gtest/gtest.h>

#include "support/scoped_env.h"
#include "support/string_output.h"

namespace slipway::report {
namespace {

using slipway::test::ScopedEnv;
using slipway::test::StringStreams;

TEST(GithubLog, FencesWhatTheWorkersSayAndAnnotatesTheFailure) {
  StringStreams to;
  Console console(to.streams);
  GithubLog log(console, "token");
  log.begin();
  console.worker_line(ssh::Stream::kErr, "", "::error::mine", LineEnd::kNewline);
  log.end("slipway run a,b:c", {"qr-0/1: 100% \x1b[2J\n::warning::"});
  EXPECT_EQ(to.err->written,
            "::stop-commands::token\n::error::mine\n::token::\n"
            "::error title=slipway run a%2Cb%3Ac::qr-0/1: 100%25 ^[[2J^J::warning::\n");
  EXPECT_EQ(to.out->written, "") << "stdout is data";
}

TEST(GithubLog, LeavesAnnotationsToOthers) {
  StringStreams to;
  Console console(to.streams);
  GithubLog(console, "token").end("t", std::vector<std::string>(100, "cause"));
  EXPECT_EQ(std::count(to.err->written.begin(), to.err->written.end(), '\n'), 9);
}

TEST(GithubLog, IsThereInAWorkflowOnly) {
  const ScopedEnv yes("GITHUB_ACTIONS", "true");
  EXPECT_TRUE(GithubLog::is_here());
  const ScopedEnv no("GITHUB_ACTIONS", "");
  EXPECT_FALSE(GithubLog::is_here());
}

}  // namespace
}  // namespace slipway::report
