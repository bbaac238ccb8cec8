#pragma once

#include <string>

#include "slipway/ssh/host_key.h"

namespace slipway::fleet {

/// One worker to run on, by everything that is needed to reach it.
struct Target {
  std::string slice;
  std::size_t slice_index = 0;
  std::size_t worker = 0;
  std::string address;
  int port = 22;
  std::string user;  ///< empty: that of the run (FanOutOptions)
  ssh::HostKeyPins pins;

  std::string label() const { return slice + "/" + std::to_string(worker); }
};

}  // namespace slipway::fleet
