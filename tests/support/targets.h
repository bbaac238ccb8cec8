#pragma once

#include <string>
#include <vector>

#include "slipway/fleet/target.h"

namespace slipway::test {

/// `slices` slices "qr-0", "qr-1", .. of `workers` workers each, at 127.1.<slice>.<worker+1>.
inline std::vector<fleet::Target> make_targets(std::size_t slices, std::size_t workers) {
  std::vector<fleet::Target> targets;
  for (std::size_t slice = 0; slice < slices; ++slice) {
    for (std::size_t worker = 0; worker < workers; ++worker) {
      fleet::Target target;
      target.slice = "qr-" + std::to_string(slice);
      target.slice_index = slice;
      target.worker = worker;
      target.address = "127.1." + std::to_string(slice) + "." + std::to_string(worker + 1);
      targets.push_back(target);
    }
  }
  return targets;
}

}  // namespace slipway::test
