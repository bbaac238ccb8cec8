#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "slipway/core/fd.h"

namespace slipway::bench {

/// Who stands at the barrier: a connection for each command (the emulator's workers run a shell), or one for
/// all of them that says a byte for each (the cheap workers; see tests/bench/workers/crowd.go).
enum class Arrivals : bool { kOneByOne, kAsACrowd };

/// Where commands wait for each other: each makes itself known, and all are let go when the last of them has
/// come. It listens on loopback, which the workers share with us, and costs a client of ours nothing.
class Barrier {
 public:
  explicit Barrier(Arrivals arrivals);

  /// What each of `expected` workers runs: it ends when all of them run.
  std::string command() const;
  /// Readable when somebody has come.
  int fd() const { return events_.get(); }

  /// Forgets who was here.
  void begin(std::size_t expected);
  /// Takes in everybody who waits at the door. True once: when the last has come.
  bool accept_all();
  /// Lets everybody go.
  void release();
  std::size_t arrived() const { return arrived_; }

 private:
  std::size_t accept();
  std::size_t count_crowd();

  Arrivals arrivals_;
  Fd listening_;
  Fd events_;
  int port_ = 0;
  std::size_t expected_ = 0;
  std::size_t arrived_ = 0;
  std::vector<Fd> here_;
};

}  // namespace slipway::bench
