#pragma once

#include <string>
#include <vector>

#include "slipway/model/node.h"

namespace slipway {

/// One TPU VM of one slice of a resource: what a row of `workers` shows and what a command is run on.
struct Worker {
  std::string slice;  ///< the node's name
  std::size_t slice_index = 0;
  std::size_t index = 0;    ///< within its slice
  std::string instance_id;  ///< of the slice: another one after each repair
  NetworkEndpoint endpoint;
  std::string slice_state;
  std::string slice_health;
  std::string hostname;  ///< empty when the guest attributes do not say
  std::vector<PublishedHostKey> host_keys;

  std::string label() const { return slice + "/" + std::to_string(index); }
};

}  // namespace slipway
