#pragma once

#include <gtest/gtest.h>

#include <string>

#include "emulator/render.h"
#include "emulator/world.h"
#include "unit/emulator/fake_host.h"

namespace slipway::emulator {

/// A world of 32 chips whose states take 250 ms each, on a clock that a test moves.
class WorldTest : public testing::Test {
 protected:
  CreateRequest request(const std::string& id, int slices = 1,
                        const std::string& accelerator = "v4-16") const {
    CreateRequest create;
    create.id = id;
    create.accelerator = *find_accelerator(accelerator);
    create.multislice = slices > 1;
    for (int i = 0; i < slices; ++i) create.node_ids.push_back(id + "-" + std::to_string(i));
    Json spec{{"parent", world.location_name()},
              {"node", Json{{"acceleratorType", accelerator}, {"metadata", metadata}}}};
    if (slices > 1) spec["multisliceParams"] = Json{{"nodeCount", slices}};
    create.body = Json{{"tpu", Json{{"nodeSpec", Json::array({spec})}}}};
    return create;
  }
  std::string create(const std::string& id, int slices = 1, const std::string& accelerator = "v4-16") {
    return std::get<std::string>(world.create(request(id, slices, accelerator), ApiVersion::kV2));
  }
  void pass(int delay) {
    clock.move(std::chrono::milliseconds(delay));
    world.advance(host);
  }
  /// Long enough for everything that time alone brings about.
  void settle() {
    for (int i = 0; i < 8; ++i) pass(1'000);
  }
  std::string state(const std::string& id) const {
    const Resource* resource = world.find(id);
    return resource == nullptr ? "gone" : std::string(to_string(resource->state));
  }
  const Operation& operation(const std::string& name) const { return world.operations().at(name); }
  Status refusal(const World::Outcome<std::string>& outcome) const {
    return std::get<ApiError>(outcome).status;
  }

  FakeClock clock;
  FakeHost host;
  Json metadata = Json::object();
  World world_{{std::chrono::milliseconds(1'000), 32, "p", "z"}, clock};
  World& world = world_;
};

}  // namespace slipway::emulator
