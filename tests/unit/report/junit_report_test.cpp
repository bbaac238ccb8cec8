#include "slipway/report/junit_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipway/core/file.h"
#include "support/program.h"
#include "support/targets.h"
#include "support/temp_folder.h"

namespace slipway::report {
namespace {

using fleet::OutcomeKind;
using slipway::test::make_targets;
using ::testing::HasSubstr;
using ::testing::Not;

fleet::Outcome outcome(OutcomeKind kind, const std::string& error = "") {
  fleet::Outcome made;
  made.kind = kind;
  made.exit_code = kind == OutcomeKind::kExit ? 3 : 0;
  made.error = error;
  return made;
}

class JunitReportTest : public ::testing::Test {
 protected:
  std::string xml(const std::vector<fleet::Outcome>& outcomes) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) report_.on_outcome(i, outcomes[i]);
    RunRecord run;
    run.queued_resource = "q<r";
    return report_.xml(run, outcomes);
  }

  std::vector<fleet::Target> targets_ = make_targets(2, 2);
  JunitReport report_{targets_};
};

TEST_F(JunitReportTest, ASliceIsASuiteAndAWorkerACase) {
  report_.on_output(1, ssh::Stream::kErr, "Traceback\n");
  const std::string text =
      xml({outcome(OutcomeKind::kOk), outcome(OutcomeKind::kExit),
           outcome(OutcomeKind::kUnreachable, "no route"), outcome(OutcomeKind::kNotStarted)});
  EXPECT_THAT(
      text,
      HasSubstr(R"(<testsuites name="slipway run q&lt;r" tests="4" failures="1" errors="1" skipped="1")"));
  EXPECT_THAT(text, HasSubstr(R"(<testsuite name="qr-0" tests="2" failures="1" errors="0" skipped="0")"));
  EXPECT_THAT(text, HasSubstr(R"(<testcase classname="qr-0" name="worker 0" time="0.000"/>)"));
  EXPECT_THAT(text, HasSubstr("<failure type=\"exit\" message=\"exit 3\">Traceback\n</failure>"));
  EXPECT_THAT(text, HasSubstr(R"(<error type="unreachable" message="unreachable: no route"></error>)"));
  EXPECT_THAT(text, HasSubstr(R"(<skipped type="not-started")"));
}

TEST_F(JunitReportTest, KeepsOnlyTheLastWordsOfAWorker) {
  report_.on_output(0, ssh::Stream::kOut, "first" + std::string(10'000, '.') + "last");
  const std::string text = xml({outcome(OutcomeKind::kExit)});
  EXPECT_THAT(text, Not(HasSubstr("first")));
  EXPECT_THAT(text, HasSubstr("last</failure>"));
  EXPECT_LT(text.size(), 6'000U);
}

TEST_F(JunitReportTest, IsWellFormedWhateverTheWorkersSaid) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  report_.on_output(0, ssh::Stream::kOut,
                    all + "]]></failure><x a=\"\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80&#0;");
  const std::string text = xml({outcome(OutcomeKind::kExit), outcome(OutcomeKind::kLost, all)});
  const test::TempFolder temp;
  ASSERT_TRUE(write_file_atomically(temp / "report.xml", text));
  const test::Ended parsed =
      test::run_program({"python3", "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])",
                         temp / "report.xml"},
                        {});
  if (parsed.code == 127) GTEST_SKIP() << "no python3 here to parse it";
  EXPECT_EQ(parsed.code, 0) << parsed.err << text;
}

}  // namespace
}  // namespace slipway::report
