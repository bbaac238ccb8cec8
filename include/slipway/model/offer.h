#pragma once

#include <string>
#include <vector>

namespace slipway {

/// What there is to choose from: the accelerator types and the runtime versions of a zone, the zones of a
/// project.
enum class OfferKind { kAcceleratorTypes, kRuntimeVersions, kLocations };

struct Offer {
  struct Shape {
    std::string type;      ///< acceleratorConfig.type: "V4"
    std::string topology;  ///< "2x2x2"
  };
  std::string id;  ///< what a flag of create takes: v4-16, tpu-ubuntu2204-base, us-central2-b
  std::string zone;
  std::vector<Shape> shapes;  ///< of an accelerator type
  std::string document;       ///< the API's document
};

struct OfferList {
  std::vector<Offer> offers;
  std::vector<std::string> unreachable;  ///< zones that did not answer
};

}  // namespace slipway
