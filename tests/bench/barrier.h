#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "slipway/core/fd.h"

namespace slipway::bench {

/// Where commands wait for each other: each connects, and all are let go when the last of them has come. It
/// listens on loopback, which the emulator's workers share with us, and costs a client of ours nothing.
class Barrier {
 public:
  Barrier();

  /// What each of `expected` workers runs: it ends when all of them run.
  std::string command() const;
  /// Readable when somebody has come.
  int fd() const { return listening_.get(); }

  /// Forgets who was here.
  void begin(std::size_t expected);
  /// Takes in everybody who waits at the door. True once: when the last has come.
  bool accept_all();
  /// Lets everybody go.
  void release();
  std::size_t arrived() const { return here_.size(); }

 private:
  Fd listening_;
  int port_ = 0;
  std::size_t expected_ = 0;
  std::vector<Fd> here_;
};

}  // namespace slipway::bench
