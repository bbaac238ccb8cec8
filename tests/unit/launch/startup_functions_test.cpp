// Single functions of the startup script, with a machine that is made up. The numbers are those of
// docs/job-failures.md.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "slipway/launch/startup_script.h"
#include "support/program.h"
#include "support/temp_folder.h"

namespace slipway::launch {
namespace {

class StartupFunctions : public ::testing::Test {
 protected:
  /// Runs `words` where the script would begin its work: with all its functions, and none of its doings.
  test::Ended run(const std::string& words, test::Program::Environment environment = {}) {
    JobSpec job;
    job.name = "train";
    job.home = {"bucket", "runs"};
    job.command = "true";
    job.chips = 8;
    job.checkpoint_dir = folder / "ckpt";
    job.checkpoint_rule = CheckpointRule::kPlain;
    const std::string script = *startup_script(job, {});
    const std::size_t work = script.find("\nalone_in_this_boot\ntrap ");
    EXPECT_NE(work, std::string::npos);
    EXPECT_TRUE(write_file_atomically(folder / "script", script.substr(0, work) + "\n" + words + "\n").ok());
    environment["SLIPWAY_RUN_FOLDER"] = folder / "run";
    environment["SLIPWAY_STATE_FOLDER"] = folder / "state";
    return test::run_program({"/bin/bash", folder / "script"}, environment);
  }
  void touch(const std::string& name) {
    const std::string path = folder / name;
    ASSERT_TRUE(make_directories(path.substr(0, path.rfind('/'))).ok());
    ASSERT_TRUE(write_file_atomically(path, "").ok());
  }
  test::TempFolder folder;
};

TEST_F(StartupFunctions, Case14ALockOfDpkgIsWaitedForUpToALimit) {
  touch("lock");
  const test::Program::Environment there{{"SLIPWAY_DPKG_LOCK", folder / "lock"}, {"SLIPWAY_DPKG_LIMIT", "1"}};
  EXPECT_EQ(run("dpkg_is_free && echo free", there).out, "free\n");
  const Fd lock(::open((folder / "lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::lockf(lock.get(), F_LOCK, 0), 0) << "as dpkg takes it";
  EXPECT_EQ(run("dpkg_is_free || echo \"$reason\"", there).out,
            "another package manager held its lock for too long\n");
}

TEST_F(StartupFunctions, Case33AMachineThatShowsFewerChipsThanItHasIsNamed) {
  const test::Program::Environment there{{"SLIPWAY_DEV_FOLDER", folder / "dev"}};
  const std::string look = "workers=2 instance=4711; chips_are_all_there && echo fine || echo \"$reason\"";
  EXPECT_EQ(run(look, there).out, "fine\n") << "none at all: no TPU machine, or another kind of device";
  for (const char* name : {"dev/accel0", "dev/accel1", "dev/accel2"}) touch(name);
  EXPECT_EQ(run(look, there).out, "a fault of this machine, instance 4711: 3 of 4 chips are there\n");
  touch("dev/accel3");
  EXPECT_EQ(run(look, there).out, "fine\n");
}

TEST_F(StartupFunctions, TheNewestStepIsTheHighestNumberThatIsComplete) {
  EXPECT_EQ(run("newest_step").out, "-1\n");
  for (const char* name :
       {"ckpt/9/x", "ckpt/step_100.pt", "ckpt/step_250.pt.tmp", "ckpt/notes.txt", "ckpt/0020/x"})
    touch(name);
  EXPECT_EQ(run("newest_step").out, "100\n");
}

TEST_F(StartupFunctions, APauseDoublesUpToTheMost) {
  EXPECT_EQ(run("for i in 1 2 3 7 20; do back_off $i; done").out, "10\n20\n40\n600\n600\n");
}

}  // namespace
}  // namespace slipway::launch
