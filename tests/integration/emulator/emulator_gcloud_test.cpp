#include <gtest/gtest.h>

#include "integration/emulator/running_emulator.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

TEST(EmulatorGcloud, TheRealGcloudWorksUnchanged) {
  if (run_shell("command -v gcloud").status != 0) GTEST_SKIP() << "gcloud is not installed";
  RunningEmulator emulator;
  if (const auto notes = notes_of(emulator.options.state_dir); notes.ok() && !notes->empty())
    GTEST_SKIP() << notes->front();
  const Result<Exports> exports = exports_of(emulator.options.state_dir);
  ASSERT_TRUE(exports.ok());
  const std::string script = SLIPWAY_SOURCE_DIR "/tests/integration/gcloud/gcloud_test.sh";
  const Ran ran = run_shell(to_shell(*exports) + "bash " + shell_quote(script));
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_NE(ran.out.find("ok flags"), std::string::npos) << ran.out;
}

TEST(EmulatorGcloud, TheRealGcloudStorageWorksUnchanged) {
  if (run_shell("command -v gcloud").status != 0) GTEST_SKIP() << "gcloud is not installed";
  RunningEmulator emulator;
  const Result<Exports> exports = exports_of(emulator.options.state_dir);
  ASSERT_TRUE(exports.ok());
  const std::string script = SLIPWAY_SOURCE_DIR "/tests/integration/gcloud/storage_test.sh";
  const Ran ran = run_shell(to_shell(*exports) + "bash " + shell_quote(script));
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_NE(ran.out.find("ok rm"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace slipway::emulator
