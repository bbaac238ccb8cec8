#include <gtest/gtest.h>

#include "slipway/core/text.h"

namespace slipway {
namespace {

using namespace std::chrono_literals;

TEST(ParseDuration, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_duration("90").value(), 90s);
  EXPECT_EQ(parse_duration("90s").value(), 90s);
  EXPECT_EQ(parse_duration("1h30m").value(), 90min);
  EXPECT_EQ(parse_duration("500ms").value(), 500ms);
  EXPECT_EQ(parse_duration("1.5s").value(), 1500ms);
  EXPECT_EQ(parse_duration("2d").value(), 48h);
  EXPECT_EQ(parse_duration("0").value(), 0s);
}

TEST(ParseDuration, RefusesTheRestAndShowsARightOne) {
  for (const char* bad :
       {"", "-1", "1x", "h", "1h 30m", "inf", "nan", "1e9", "9999999999h", "5m5", "1..5s"}) {
    SCOPED_TRACE(bad);
    const auto result = parse_duration(bad);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code(), ErrorCode::kUsage);
    EXPECT_NE(result.error().why().find("90s"), std::string::npos);
  }
}

TEST(FormatDuration, GrowsCoarser) {
  EXPECT_EQ(format_duration(850ms), "850ms");
  EXPECT_EQ(format_duration(12'340ms), "12.3s");
  EXPECT_EQ(format_duration(247s), "4m07s");
  EXPECT_EQ(format_duration(59'970ms), "1m00s");
  EXPECT_EQ(format_duration(7'500s), "2h05m");
}

TEST(Rfc3339, RoundTrips) {
  const auto when = parse_rfc3339("2026-11-20T08:15:30.250Z");
  ASSERT_TRUE(when);
  EXPECT_EQ(format_rfc3339(*when), "2026-11-20T08:15:30.250Z");
}

TEST(Rfc3339, ReadsOffsetsAndNanoseconds) {
  EXPECT_EQ(parse_rfc3339("2026-11-20T10:15:30+02:00"), parse_rfc3339("2026-11-20T08:15:30Z"));
  EXPECT_EQ(format_rfc3339(*parse_rfc3339("2026-11-20T00:00:00.123456789Z")), "2026-11-20T00:00:00.123Z");
}

TEST(Rfc3339, RefusesWhatIsNoTime) {
  for (const char* bad :
       {"", "2026-11-20", "2026-13-20T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-20T24:00:00Z",
        "2026-11-20T00:00:00", "2026-11-20T00:00:00.Z", "2026-11-20T00:00:00+2:00"}) {
    EXPECT_FALSE(parse_rfc3339(bad)) << bad;
  }
}

}  // namespace
}  // namespace slipway
