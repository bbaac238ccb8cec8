#include "emulator/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "support/temp_folder.h"

namespace slipway::emulator {
namespace {

class ProcessTest : public ::testing::Test {
 protected:
  Program shell(const std::string& script) const {
    return {{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin", "MARK=" + folder.path()}, folder / "log"};
  }
  std::string said() const { return *read_file(folder / "log"); }
  /// True when `holds` within a few seconds.
  template <typename Holds>
  static bool eventually(Holds holds) {
    for (int i = 0; i < 2'000; ++i) {
      if (holds()) return true;
      ::usleep(5'000);
    }
    return false;
  }

  test::TempFolder folder;
};

TEST_F(ProcessTest, RunsToItsEndAndGivesItsStatus) {
  EXPECT_EQ(*run(shell("echo out; echo err >&2; exit 7")), 7);
  EXPECT_EQ(said(), "out\nerr\n");
  EXPECT_EQ(*run(shell("kill -9 $$")), 137);
  EXPECT_EQ(*run({{"/no/such/program"}, {}, folder / "log"}), 127);
  EXPECT_FALSE(run({{"/bin/true"}, {}, "/no/such/folder/log"}).ok());
}

TEST_F(ProcessTest, InheritsNoDescriptorAndNoIgnoredSignal) {
  const Fd open(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC, as a library might
  ::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(
      *run(shell("for f in /proc/$$/fd/*; do [ -e $f ] && echo ${f##*/}; done; grep SigIgn /proc/$$/status")),
      0);
  ::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(said(), "0\n1\n2\nSigIgn:\t0000000000000000\n");
}

TEST_F(ProcessTest, EndsWithTheThreadThatStartedIt) {
  pid_t pid = 0;
  std::thread starter([&] {
    pid = *spawn(shell("echo ready; exec sleep 1000"));
    EXPECT_TRUE(eventually([&] { return said() == "ready\n"; }));
    EXPECT_FALSE(reap(pid));
  });
  starter.join();
  EXPECT_TRUE(eventually([&] { return reap(pid); }));
}

TEST_F(ProcessTest, OfAFamilyNothingIsLeftNotEvenWhatLeftItsSession) {
  const pid_t pid = *spawn(shell("(setsid sleep 1000 &) ; sleep 1000 & echo ready; wait"));
  ASSERT_TRUE(eventually([&] { return said() == "ready\n"; }));
  EXPECT_TRUE(kill_family(pid, "MARK=" + folder.path()));
  EXPECT_TRUE(eventually([&] { return reap(pid); }));
  EXPECT_TRUE(eventually([&] { return !kill_family(pid, "MARK=" + folder.path()); }));
}

TEST(FindProgram, LooksWherePathDoesNot) {
  EXPECT_FALSE(find_program("sh").empty());
  EXPECT_EQ(find_program("no-such-program-anywhere"), "");
}

}  // namespace
}  // namespace slipway::emulator
