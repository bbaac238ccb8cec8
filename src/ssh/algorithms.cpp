#include "ssh/algorithms.h"

#include <algorithm>
#include <vector>

#include "slipway/core/format.h"

namespace slipway::ssh {

std::string host_key_algorithms(const HostKeyPins& pins) {
  if (pins.empty()) {
    return "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,rsa-sha2-512,rsa-sha2-"
           "256";
  }
  std::vector<std::string> names;
  for (const HostKey& pin : pins) {
    const std::string name = pin.type == "ssh-rsa" ? "rsa-sha2-512,rsa-sha2-256" : pin.type;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace slipway::ssh
