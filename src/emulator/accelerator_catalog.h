#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slipway::emulator {

/// One shape of a slice that the emulated zone offers.
struct Accelerator {
  std::string name;      ///< "v4-16", "v5litepod-16": what Node.acceleratorType says
  std::string type;      ///< "V4": what AcceleratorConfig.type says
  std::string topology;  ///< "2x2x2", in chips; empty where the documents give none
  std::int64_t chips = 0;
  int workers = 0;         ///< TPU VMs in one slice
  bool multislice = true;  ///< v2 and v3 cannot be part of a multislice request
};

/// All of them, families in order of age, sizes ascending. A catalogue of the emulator's own: it shares
/// nothing with the client's model, so that it does not agree with the client's mistakes.
const std::vector<Accelerator>& accelerator_catalog();

/// By the name of the API, as it is written there (lower case).
std::optional<Accelerator> find_accelerator(const std::string& name);
/// By AcceleratorConfig: type "V4", topology "2x2x2".
std::optional<Accelerator> find_accelerator(const std::string& type, const std::string& topology);

/// The runtime versions that the zone offers.
const std::vector<std::string>& runtime_versions();

}  // namespace slipway::emulator
