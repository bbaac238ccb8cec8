#include "slipway/core/streams.h"

#include <gtest/gtest.h>

#include "support/scoped_env.h"

namespace slipway {
namespace {

using test::ScopedEnv;

/// What a terminal on both ways out gets by itself.
bool colors_a_terminal() {
  Streams streams;
  streams.out_is_tty = streams.err_is_tty = true;
  streams.choose_color(ColorWish::kAuto);
  EXPECT_EQ(streams.out_color, streams.err_color);
  return streams.out_color;
}

class Color : public ::testing::Test {
 protected:
  ScopedEnv no_color_{"NO_COLOR", ""};
  ScopedEnv force_{"CLICOLOR_FORCE", ""};
  ScopedEnv color_{"CLICOLOR", ""};
  ScopedEnv term_{"TERM", "xterm"};
};

TEST_F(Color, IsForTerminalsOnly) {
  EXPECT_TRUE(colors_a_terminal());
  Streams pipes;
  pipes.choose_color(ColorWish::kAuto);
  EXPECT_FALSE(pipes.out_color);
  Streams half;
  half.err_is_tty = true;
  half.choose_color(ColorWish::kAuto);
  EXPECT_FALSE(half.out_color);
  EXPECT_TRUE(half.err_color);
}

TEST_F(Color, ADumbTerminalHasNone) {
  for (const char* term : {"dumb", ""}) {
    const ScopedEnv dumb("TERM", term);
    EXPECT_FALSE(colors_a_terminal()) << term;
  }
}

TEST_F(Color, TheEnvironmentSaysNoBeforeItSaysYes) {
  const ScopedEnv force("CLICOLOR_FORCE", "1");
  Streams pipes;
  pipes.choose_color(ColorWish::kAuto);
  EXPECT_TRUE(pipes.out_color);
  const ScopedEnv none("NO_COLOR", "1");
  EXPECT_FALSE(colors_a_terminal());
}

TEST_F(Color, TheFlagBeatsTheEnvironment) {
  const ScopedEnv none("NO_COLOR", "1");
  Streams streams;
  streams.choose_color(ColorWish::kAlways);
  EXPECT_TRUE(streams.out_color);
  streams.choose_color(ColorWish::kNever);
  EXPECT_FALSE(streams.out_color);
}

TEST_F(Color, CliColorZeroIsANo) {
  const ScopedEnv off("CLICOLOR", "0");
  EXPECT_FALSE(colors_a_terminal());
}

}  // namespace
}  // namespace slipway
