#include "cli/time_values.h"

#include <gtest/gtest.h>
#include <time.h>

#include "support/scoped_env.h"

namespace slipway::cli {
namespace {

using std::chrono::milliseconds;

std::optional<milliseconds> span(const std::string& text) {
  const auto parsed = parse_span("--x", text);
  return parsed.ok() ? *parsed : std::nullopt;
}

std::string time_of(const std::string& text) {
  const auto parsed = parse_time("--x", text);
  return parsed.ok() ? *parsed : "refused: " + parsed.error().message();
}

TEST(TimeValues, SpansComeInGcloudsForms) {
  EXPECT_EQ(span("90s"), milliseconds(90'000));
  EXPECT_EQ(span("1h30m"), milliseconds(5'400'000));
  EXPECT_EQ(span("PT1H30M"), milliseconds(5'400'000));
  EXPECT_EQ(span("P1DT2H"), milliseconds(93'600'000));
  EXPECT_EQ(span("P2W"), milliseconds(1'209'600'000));
  EXPECT_EQ(span("pt0.5s"), milliseconds(500));
}

TEST(TimeValues, WhatIsNoSpanIsRefusedByItsFlag) {
  for (const char* text : {"banana", "0", "0s", "P", "PT", "P1", "P1Y", "P1H", "PT1D", "-5s", "1h 30m"})
    EXPECT_FALSE(parse_span("--x", text).ok()) << text;
  EXPECT_EQ(parse_span("--x", "banana").error().message(), "--x: 'banana' is no duration");
}

TEST(TimeValues, ATimeKeepsItsOffsetAndHasMilliseconds) {
  EXPECT_EQ(time_of("2026-12-01T00:00:00Z"), "2026-12-01T00:00:00.000Z");
  EXPECT_EQ(time_of("2026-12-01T00:00:00-08:00"), "2026-12-01T00:00:00.000-08:00");
  EXPECT_EQ(time_of("2026-12-01 00:00:00.5z"), "2026-12-01T00:00:00.500Z");
  EXPECT_EQ(time_of("2026-12-01t00:00:00.123456+05:30"), "2026-12-01T00:00:00.123+05:30");
}

TEST(TimeValues, ATimeWithoutAnOffsetIsLocal) {
  const test::ScopedEnv zone("TZ", "America/Los_Angeles");
  ::tzset();
  EXPECT_EQ(time_of("2026-12-01T08:00:00"), "2026-12-01T08:00:00.000-08:00");
  EXPECT_EQ(time_of("2026-07-01"), "2026-07-01T00:00:00.000-07:00");
}

TEST(TimeValues, WhatIsNoTimeIsRefused) {
  for (const char* text : {"tomorrow", "2026-13-01T00:00:00Z", "2026-12-01T25:00:00Z", "2026-12-01T00:00Z",
                           "2026-12", "2026-12-01T00:00:00+1"})
    EXPECT_FALSE(parse_time("--x", text).ok()) << text;
}

}  // namespace
}  // namespace slipway::cli
