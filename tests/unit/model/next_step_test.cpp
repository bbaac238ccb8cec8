#include "slipway/model/next_step.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

std::string next_of(const std::string& state) {
  QueuedResource resource;
  resource.name.id = "q";
  resource.state = *parse_queued_resource_state(state);
  return next_step(resource);
}

TEST(NextStep, NeverWaitsForWhatCannotCome) {
  EXPECT_EQ(next_of("FAILED"), "slipway delete q --force   (or: slipway create q --recreate ...)");
  EXPECT_EQ(next_of("SUSPENDED"), "slipway delete q   (or: slipway create q --recreate ...)");
  EXPECT_EQ(next_of("SUSPENDING"), "slipway wait q --for SUSPENDED");
  EXPECT_EQ(next_of("DELETING"), "slipway wait q --for DELETED");
}

TEST(NextStep, WhatIsQueuedIsWaitedFor) {
  for (const char* state : {"CREATING", "ACCEPTED", "WAITING_FOR_RESOURCES", "PROVISIONING"})
    EXPECT_EQ(next_of(state), "slipway wait q --for ACTIVE") << state;
  EXPECT_EQ(next_of("ACTIVE"), "");
}

}  // namespace
}  // namespace slipway
