#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "slipway/core/fd.h"
#include "slipway/core/streams.h"

namespace slipway {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    reader.reset(ends[0]);
    writer.reset(ends[1]);
    ::fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  }
  std::string take() const {
    std::string text(1 << 20, '\0');
    const ssize_t count = ::read(reader.get(), text.data(), text.size());
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }
  Fd reader;
  Fd writer;
};

TEST(OutputStream, AFullPipeIsLeftWaitingAndNothingIsLost) {
  Pipe pipe;
  const auto stream = make_fd_output(pipe.writer.get());
  const std::string text(300'000, 'x');
  stream->queue(text);
  stream->drain();
  EXPECT_GT(stream->backlog(), 0U);
  std::string got;
  while (stream->backlog() > 0) {
    got += pipe.take();
    stream->drain();
  }
  got += pipe.take();
  EXPECT_EQ(got, text);
}

TEST(OutputStream, AReaderThatLeftIsNoError) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  const auto stream = make_fd_output(pipe.writer.get());
  pipe.reader.reset();
  stream->write("x");
  EXPECT_TRUE(stream->closed());
  EXPECT_EQ(stream->error(), nullptr);
  stream->write("more");
  EXPECT_EQ(stream->backlog(), 0U);
}

TEST(OutputStream, AFullDiskIsALocalError) {
  Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  const auto stream = make_fd_output(full.get());
  stream->write("x");
  ASSERT_NE(stream->error(), nullptr);
  EXPECT_EQ(stream->error()->code(), ErrorCode::kLocal);
  EXPECT_FALSE(stream->closed());
}

}  // namespace
}  // namespace slipway
