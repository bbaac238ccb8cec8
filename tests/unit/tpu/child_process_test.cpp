#include "tpu/child_process.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>

#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "support/fake_clock.h"
#include "support/temp_folder.h"

namespace slipway::tpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ChildProgram shell(const std::string& line, milliseconds timeout = seconds(60)) {
  return {{"/bin/sh", "-c", line}, {"PATH=/usr/bin:/bin", "ONLY=this"}, timeout, 100'000};
}

TEST(ChildProcess, GivesOutputStatusAndLastErrorLine) {
  test::FakeClock clock;
  const auto ended = run_child(shell("echo $ONLY $HOME; echo a >&2; echo b >&2; read x || exit 7"), clock);
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(ended.value().out, "this\n");
  EXPECT_EQ(ended.value().last_error_line, "b");
  EXPECT_EQ(ended.value().exit_code, 7) << "stdin is closed";
  EXPECT_EQ(run_child(shell("kill -TERM $$"), clock)->exit_code, 128 + SIGTERM);
}

TEST(ChildProcess, TakesMoreThanAPipeHolds) {
  test::FakeClock clock;
  EXPECT_EQ(run_child(shell("head -c 90000 /dev/zero"), clock)->out.size(), 90'000u);
}

TEST(ChildProcess, WhatSaysTooMuchIsEnded) {
  test::FakeClock clock;
  const auto ended = run_child(shell("cat /dev/zero"), clock);
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code(), ErrorCode::kDenied);
}

TEST(ChildProcess, WhatTakesTooLongIsEndedWithAllThatItStarted) {
  test::FakeClock clock;
  const test::TempFolder folder;
  const auto ended = run_child(
      shell("sleep 1000 & echo $! > " + (folder / "pid") + "; sleep 1000", milliseconds(300)), clock);
  ASSERT_TRUE(ended.ok());
  EXPECT_TRUE(ended.value().timed_out);
  // SIGKILL was sent; the kernel takes its time. Gone, or waiting for a parent that does not look.
  const std::string stat = "/proc/" + std::string(trim(read_file(folder / "pid").value())) + "/stat";
  const auto is_over = [&] {
    const auto state = read_file(stat, 4096);
    return !state.ok() || state.value().find(") Z ") != std::string::npos;
  };
  const auto deadline = BootClock::now() + seconds(10);
  while (!is_over() && BootClock::now() < deadline) ::sched_yield();
  EXPECT_TRUE(is_over());
}

TEST(ChildProcess, AnInterruptEndsIt) {
  test::FakeClock clock;
  clock.sleeps_left = 2;
  const auto ended = run_child(shell("sleep 1000"), clock);
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code(), ErrorCode::kInterrupted);
}

TEST(ChildProcess, AProgramThatLeavesAChildBehindIsOverWhenItIsOver) {
  test::FakeClock clock;
  const auto ended = run_child(shell("sleep 5 & echo done"), clock);
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(ended.value().out, "done\n");
}

}  // namespace
}  // namespace slipway::tpu
