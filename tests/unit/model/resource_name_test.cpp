#include "slipway/model/resource_name.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

const Location kHere{"p", "us-central2-b"};

TEST(QueuedResourceName, IsAnIdInTheZoneOfTheSettings) {
  const auto name = parse_queued_resource_name("train-1", kHere).value();
  EXPECT_EQ(name.path(), "projects/p/locations/us-central2-b/queuedResources/train-1");
}

TEST(QueuedResourceName, AFullNameWinsOverTheSettings) {
  const auto name = parse_queued_resource_name("projects/q/locations/z/queuedResources/r", kHere).value();
  EXPECT_EQ(name, (QueuedResourceName{{"q", "z"}, "r"}));
}

TEST(QueuedResourceName, WhatCouldLeaveThePathIsRefused) {
  for (const char* bad :
       {"", "-q", "a/b", "..", "a b", "a\nb", "a?force=true", "projects/p/locations/z/queuedResources/",
        "projects/p/locations/../queuedResources/q", "projects/p/zones/z/queuedResources/q", "a#b"}) {
    EXPECT_EQ(parse_queued_resource_name(bad, kHere).error().code(), ErrorCode::kUsage) << bad;
  }
}

TEST(ResourcePath, TellsItsZoneAndItsLastPart) {
  EXPECT_EQ(zone_of("projects/p/locations/z/nodes/n"), "z");
  EXPECT_EQ(zone_of("projects/p"), "");
  EXPECT_EQ(last_segment("projects/p/locations/z/nodes/n"), "n");
}

}  // namespace
}  // namespace slipway
