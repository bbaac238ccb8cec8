#include "slipway/model/accelerator.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

TEST(Accelerator, FamiliesGoByAllTheirNames) {
  for (const char* name : {"v5litepod", "V5LITE_POD", "v5lite-pod", "v5e"})
    EXPECT_EQ(accelerator_api_type(name), "V5LITE_POD") << name;
  EXPECT_EQ(accelerator_api_type("tpu7x"), "TPU7X");
  EXPECT_EQ(accelerator_api_type("v6ea"), "V6EA");
  EXPECT_EQ(accelerator_api_type("v9-next"), "V9_NEXT") << "one that we do not know goes through";
}

TEST(Accelerator, CoresAndChipsAreToldApart) {
  EXPECT_EQ(shape_of_type("v4-16"), shape_of_topology("V4", "2x2x2"));
  EXPECT_EQ(shape_of_type("v5litepod-16"), shape_of_topology("V5LITE_POD", "4X4"));
  EXPECT_EQ(shape_of_type("tpu7x-128"), shape_of_topology("TPU7X", "4x4x4"));
  EXPECT_NE(shape_of_type("v4-16"), shape_of_topology("V4", "2x2x4"));
  EXPECT_NE(shape_of_type("v5p-16"), shape_of_topology("V4", "2x2x2"));
}

TEST(Accelerator, WhatCannotBeReadHasNoShape) {
  for (const char* type : {"v4", "v4-", "v4-x", "v9-16", "v4-99999999999"})
    EXPECT_FALSE(shape_of_type(type)) << type;
  for (const char* topology : {"", "x", "2x", "2x-1", "axb"})
    EXPECT_FALSE(shape_of_topology("V4", topology)) << topology;
}

}  // namespace
}  // namespace slipway
