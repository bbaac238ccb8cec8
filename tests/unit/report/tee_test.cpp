#include "slipway/report/tee.h"

#include <gtest/gtest.h>

namespace slipway::report {
namespace {

struct Recorder final : fleet::Reporter {
  void on_phase(std::size_t target, ssh::Phase) override { heard += "phase" + std::to_string(target) + " "; }
  void on_output(std::size_t, ssh::Stream, std::string_view bytes) override {
    heard += std::string(bytes) + " ";
  }
  void on_outcome(std::size_t target, const fleet::Outcome&) override {
    heard += "end" + std::to_string(target) + " ";
  }
  void on_notice(std::string_view text) override { heard += std::string(text) + " "; }
  bool congested() const override { return full; }
  int wait_fd() const override { return descriptor; }
  std::optional<Clock::time_point> next_drain() const override { return again; }
  void drain() override { heard += "drain "; }

  std::string heard;
  bool full = false;
  int descriptor = -1;
  std::optional<Clock::time_point> again;
};

TEST(Tee, EverybodyHearsEverything) {
  Recorder one;
  Recorder two;
  Tee tee({&one, &two});
  tee.on_phase(3, ssh::Phase::kConnect);
  tee.on_output(0, ssh::Stream::kOut, "text");
  tee.on_outcome(4, {});
  tee.on_notice("notice");
  tee.drain();
  EXPECT_EQ(one.heard, "phase3 text end4 notice drain ");
  EXPECT_EQ(two.heard, one.heard);
}

TEST(Tee, IsCongestedWithItsSlowestAndWaitsForThatOne) {
  Recorder one;
  Recorder two;
  one.descriptor = 7;
  two.descriptor = 8;
  const Tee tee({&one, &two});
  EXPECT_FALSE(tee.congested());
  EXPECT_EQ(tee.wait_fd(), -1);
  two.full = true;
  EXPECT_TRUE(tee.congested());
  EXPECT_EQ(tee.wait_fd(), 8);
}

TEST(Tee, IsDrainedAgainWhenTheFirstOfThemWantsIt) {
  Recorder one;
  Recorder two;
  const Tee tee({&one, &two});
  EXPECT_EQ(tee.next_drain(), std::nullopt);
  two.again = Clock::time_point(std::chrono::seconds(9));
  EXPECT_EQ(tee.next_drain(), two.again);
  one.again = Clock::time_point(std::chrono::seconds(5));
  EXPECT_EQ(tee.next_drain(), one.again);
}

}  // namespace
}  // namespace slipway::report
