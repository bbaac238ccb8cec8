#include "slipway/tpu/difference.h"

#include <gtest/gtest.h>

#include "slipway/core/format.h"

namespace slipway::tpu {
namespace {

const Location kLocation{"p", "z"};

CreateSpec two_slices() {
  CreateSpec spec;
  spec.node_count = 2;
  spec.accelerator_type = "v4-16";
  spec.runtime_version = "r";
  return spec;
}

/// The answer of a server that expanded `node` to two slices.
std::string there(const std::string& node, const std::string& more = "") {
  return fmt::format(
      R"({{"name":"projects/1/locations/z/queuedResources/q","tpu":{{"nodeSpec":[{{"nodeId":"q-0","node":{0}}},{{"nodeId":"q-1","node":{0}}}]}}{1}}})",
      node, more);
}
constexpr const char* kNode =
    R"({"acceleratorType":"v4-16","runtimeVersion":"r","networkConfig":{"network":"projects/p/global/networks/default"},"serviceAccount":{"email":"123-compute@developer.gserviceaccount.com"},"labels":{"a":"b"}})";

std::vector<std::string> fields(const CreateSpec& spec, const std::string& document) {
  std::vector<std::string> names;
  for (const Difference& one : differences(create_body(kLocation, spec), "q", document))
    names.push_back(one.field);
  return names;
}
using Fields = std::vector<std::string>;

TEST(Differences, WhatTheServerExpandedAndFilledInIsEqual) {
  EXPECT_EQ(fields(two_slices(), there(kNode)), Fields());
}

TEST(Differences, EachFieldThatCannotChangeIsCompared) {
  CreateSpec spec = two_slices();
  spec.node_count = 3;
  EXPECT_EQ(fields(spec, there(kNode)), Fields{"slices"});
  spec = two_slices();
  spec.accelerator_type = "v4-32";
  EXPECT_EQ(fields(spec, there(kNode)), Fields{"acceleratorType"});
  spec = two_slices();
  spec.runtime_version = "other";
  spec.tier = Tier::kSpot;
  EXPECT_EQ(fields(spec, there(kNode)), (Fields{"runtimeVersion", "tier"}));
  spec = two_slices();
  spec.network = "mine";
  spec.subnetwork = "s";
  spec.secure_boot = true;
  EXPECT_EQ(fields(spec, there(kNode)),
            (Fields{"shieldedInstanceConfig.enableSecureBoot", "network", "subnetwork"}));
  spec = two_slices();
  spec.reservation = Reservation();
  EXPECT_EQ(fields(spec, there(kNode)), Fields{"reservationName"});
}

TEST(Differences, WhatCanBeChangedLaterIsNotCompared) {
  CreateSpec spec = two_slices();
  spec.labels = {{"other", "label"}};
  spec.metadata = {{"startup-script", "x"}};
  spec.description = "d";
  spec.tags = {"t"};
  spec.internal_ips = true;
  EXPECT_EQ(fields(spec, there(kNode)), Fields());
}

TEST(Differences, ATypeIsEqualToTheShapeThatItMeans) {
  CreateSpec spec = two_slices();
  spec.accelerator_type = "";
  spec.type = "V4";
  spec.topology = "2x2x2";
  EXPECT_EQ(fields(spec, there(kNode)), Fields());
  spec.topology = "2x2x4";
  EXPECT_EQ(fields(spec, there(kNode)), Fields{"acceleratorType"});
}

TEST(Differences, AnyReservationIsEqualToTheOneThatWasTaken) {
  CreateSpec spec = two_slices();
  spec.reservation = Reservation();
  EXPECT_EQ(fields(spec, there(kNode, R"(,"reservationName":"projects/123/locations/z/reservations/r1")")),
            Fields());
  spec.reservation->id = "r2";
  EXPECT_EQ(fields(spec, there(kNode, R"(,"reservationName":"projects/p/locations/z/reservations/r1")")),
            Fields{"reservationName"});
}

TEST(Differences, AreSaidInWords) {
  CreateSpec spec = two_slices();
  spec.runtime_version = "other";
  const auto found = differences(create_body(kLocation, spec), "q", there(kNode));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].there, "r");
  EXPECT_EQ(found[0].asked, "other");
}

}  // namespace
}  // namespace slipway::tpu
