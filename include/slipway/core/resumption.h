#pragma once

namespace slipway {

/// Notices that the process was stopped (Ctrl-Z) and goes on: others may have written to its terminal
/// meanwhile. At most one at a time.
class Resumption {
 public:
  Resumption();
  ~Resumption();
  Resumption(const Resumption&) = delete;
  Resumption& operator=(const Resumption&) = delete;

  /// True once for each time that it went on.
  bool take();
};

}  // namespace slipway
