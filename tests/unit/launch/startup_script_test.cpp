#include "slipway/launch/startup_script.h"

#include <gtest/gtest.h>

#include <random>

#include "launch/startup_text.h"
#include "slipway/core/file.h"
#include "support/program.h"
#include "support/temp_folder.h"

namespace slipway::launch {
namespace {

JobSpec job() {
  JobSpec spec;
  spec.name = "train-1";
  spec.home = {"bucket", "runs"};
  spec.command = "true";
  return spec;
}

/// The script's own assignments, as bash understands them.
std::string printed(const JobSpec& spec, const std::string& expression) {
  const Result<std::string> script = startup_script(spec, {});
  EXPECT_TRUE(script.ok());
  const std::string header = script->substr(0, script->find(kStartupProgram));
  return test::run_program({"/bin/bash", "-c", header + "\nprintf '%s' " + expression}, {}).out;
}

TEST(StartupScript, AnyTextArrivesByteForByte) {
  JobSpec spec = job();
  spec.command = "echo \"it's\" $HOME `id` \\ \n'quoted'\ttab ${x} !! \xc3\xa9 $(rm -rf /)";
  EXPECT_EQ(printed(spec, "\"$JOB_COMMAND\""), spec.command);
  spec.environment = {{"A", "two\nlines"}, {"B", "'"}, {"C", ""}};
  EXPECT_EQ(printed(spec, "\"${#JOB_ENV[@]}\" \"${JOB_ENV[@]}\""), "3A=two\nlinesB='C=");
}

TEST(StartupScript, RandomBytesArriveToo) {
  std::mt19937 random(20261121);
  JobSpec spec = job();
  for (int round = 0; round < 20; ++round) {
    spec.command.clear();
    const std::size_t size = 1 + random() % 300;
    for (std::size_t i = 0; i < size; ++i) spec.command += static_cast<char>(1 + random() % 255);
    spec.command += "x";  // a shell's $() drops newlines at the end; the variable itself does not
    ASSERT_EQ(printed(spec, "\"$JOB_COMMAND\""), spec.command) << "round " << round;
  }
}

TEST(StartupScript, MoreThanMetadataTakesIsRefusedWithAdvice) {
  JobSpec spec = job();
  spec.setup = std::string(300'000, 'x');
  const Result<std::string> script = startup_script(spec, {});
  ASSERT_FALSE(script.ok());
  EXPECT_EQ(script.error().code(), ErrorCode::kUsage);
  EXPECT_NE(script.error().next().find("--code"), std::string::npos);
}

TEST(StartupScript, TheProgramIsTheFileOfTheSourceTree) {
  EXPECT_EQ(std::string(kStartupProgram), *read_file(SLIPWAY_SOURCE_DIR "/src/launch/startup.sh"));
}

TEST(StartupScript, IsCleanForShellcheckAndForBash) {
  const test::TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "startup.sh", *startup_script(job(), {})).ok());
  EXPECT_EQ(test::run_program({"/bin/bash", "-n", folder / "startup.sh"}, {}).code, 0);
  const test::Ended checked = test::run_program({"shellcheck", folder / "startup.sh"}, {});
  if (checked.code == 127) GTEST_SKIP() << "shellcheck is not installed";
  EXPECT_EQ(checked.code, 0) << checked.out;
}

}  // namespace
}  // namespace slipway::launch
