#include "cli/state_watch.h"

#include <gtest/gtest.h>

#include "support/string_output.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;

class StateWatchTest : public ::testing::Test {
 protected:
  void see(const std::string& state, Clock::duration elapsed) {
    tpu::Sight sight;
    sight.resource.emplace();
    sight.resource->state_text = state;
    sight.resource->state = parse_queued_resource_state(state).value_or(QueuedResourceState::kOther);
    sight.elapsed = elapsed;
    watch_(sight);
  }
  std::string take() { return std::exchange(streams_.err->written, {}); }

  test::StringStreams streams_;
  Interrupt interrupt_;
  SystemClock clock_;
  Services services_{streams_.streams, clock_, interrupt_};
  StateWatch watch_{"q", services_};
};

TEST_F(StateWatchTest, SaysEveryChangeOnce) {
  see("ACCEPTED", 0s);
  see("ACCEPTED", 5s);
  see("PROVISIONING", 10s);
  EXPECT_EQ(take(), "q: ACCEPTED  (0ms)\nq: PROVISIONING  (10.0s)\n");
}

TEST_F(StateWatchTest, SaysALineAMinuteWhenNobodyWatches) {
  see("PROVISIONING", 0s);
  take();
  see("PROVISIONING", 59s);
  EXPECT_EQ(take(), "");
  see("PROVISIONING", 61s);
  EXPECT_EQ(take(), "q: PROVISIONING  (still, after 1m01s)\n");
  see("PROVISIONING", 90s);
  EXPECT_EQ(take(), "");
}

TEST_F(StateWatchTest, RedrawsOneLineOnATerminal) {
  streams_.streams.err_redraws = true;
  see("PROVISIONING", 0s);
  take();
  see("PROVISIONING", 2s);
  EXPECT_EQ(take(), "\r\x1b[Kq: PROVISIONING  (2.0s)");
  see("ACTIVE", 3s);
  EXPECT_EQ(take(), "\r\x1b[Kq: ACTIVE  (3.0s)\n");
}

TEST_F(StateWatchTest, SeveralShareTheOneLine) {
  streams_.streams.err_redraws = true;
  StateWatch both(std::vector<std::string>{"a", "b"}, services_);
  tpu::Sight sight;
  sight.resource.emplace();
  sight.resource->state_text = "ACCEPTED";
  both(0, sight);
  both(1, sight);
  EXPECT_EQ(take(), "a: ACCEPTED  (0ms)\nb: ACCEPTED  (0ms)\n");
  sight.elapsed = 5s;
  both(1, sight);
  EXPECT_EQ(take(), "\r\x1b[K5.0s | a: ACCEPTED | b: ACCEPTED");
}

TEST_F(StateWatchTest, SaysOnceThatAQuarterOfAnHourIsOver) {
  see("WAITING_FOR_RESOURCES", 0s);
  see("WAITING_FOR_RESOURCES", 14min);
  EXPECT_EQ(take().find("15 minutes"), std::string::npos);
  see("WAITING_FOR_RESOURCES", 16min);
  EXPECT_NE(take().find("more than 15 minutes"), std::string::npos);
  see("WAITING_FOR_RESOURCES", 40min);
  EXPECT_EQ(take().find("15 minutes"), std::string::npos);
}

TEST_F(StateWatchTest, AStateFromTheServerCannotCommandTheTerminal) {
  see("\x1b[2JNEW", 0s);
  EXPECT_EQ(take(), "q: ^[[2JNEW  (0ms)\n");
}

}  // namespace
}  // namespace slipway::cli
