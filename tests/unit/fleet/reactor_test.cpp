#include "fleet/reactor.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "slipway/core/clock.h"
#include "slipway/core/fd.h"
#include "support/temp_folder.h"

namespace slipway::fleet {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  void put() const { EXPECT_EQ(::write(write.get(), "x", 1), 1); }
  Fd read;
  Fd write;
};

class ReactorTest : public ::testing::Test {
 protected:
  std::vector<Reactor::Token> wait(std::chrono::nanoseconds longest) {
    std::vector<Reactor::Token> heard;
    reactor_.wait(longest, heard);
    return heard;
  }
  Reactor reactor_ = Reactor::create(4).value();
};

TEST_F(ReactorTest, WaitsNoLongerThanItIsTold) {
  const auto before = BootClock::now();
  EXPECT_THAT(wait(milliseconds(20)), IsEmpty());
  EXPECT_GE(BootClock::now() - before, milliseconds(20));
}

TEST_F(ReactorTest, HearsWhatIsReadable) {
  const Pipe pipe;
  ASSERT_TRUE(reactor_.watch(2, pipe.read.get(), true, false));
  pipe.put();
  EXPECT_THAT(wait(seconds(10)), ElementsAre(2));
  EXPECT_THAT(wait(milliseconds(0)), IsEmpty());
}

TEST_F(ReactorTest, HearsAgainOfWhatStayedReadable) {
  const Pipe pipe;
  pipe.put();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(reactor_.watch(1, pipe.read.get(), true, false));
    EXPECT_THAT(wait(seconds(10)), ElementsAre(1)) << i;
  }
}

TEST_F(ReactorTest, HearsWhatIsWritable) {
  const Pipe pipe;
  ASSERT_TRUE(reactor_.watch(0, pipe.write.get(), false, true));
  EXPECT_THAT(wait(seconds(10)), ElementsAre(0));
}

TEST_F(ReactorTest, WhatIsForgottenIsNotHeardAndStaysOpen) {
  const Pipe pipe;
  ASSERT_TRUE(reactor_.watch(3, pipe.read.get(), true, false));
  pipe.put();
  reactor_.forget(3);
  EXPECT_THAT(wait(milliseconds(5)), IsEmpty());
  char byte = 0;
  EXPECT_EQ(::read(pipe.read.get(), &byte, 1), 1);
}

TEST_F(ReactorTest, ATokenCanGetAnotherDescriptorWithTheSameNumber) {
  for (int i = 0; i < 3; ++i) {
    const Pipe pipe;
    ASSERT_TRUE(reactor_.watch(0, pipe.read.get(), true, false));
    pipe.put();
    EXPECT_THAT(wait(seconds(10)), ElementsAre(0)) << i;
    ASSERT_TRUE(reactor_.watch(0, pipe.read.get(), true, false));
    reactor_.forget(0);
  }
}

TEST_F(ReactorTest, ARegularFileIsReadyAtOnce) {
  const slipway::test::TempFolder temp;
  const Fd file(::open((temp / "file").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  ASSERT_TRUE(reactor_.watch(0, file.get(), false, true));
  EXPECT_THAT(wait(seconds(10)), ElementsAre(0));
}

}  // namespace
}  // namespace slipway::fleet
