#pragma once

#include "slipway/core/fd.h"

namespace slipway {

/// The user's wish to stop: SIGINT, SIGTERM and SIGHUP, counted, and readable as a descriptor so that every
/// wait in the program can end at once. The second signal means "leave now", or,
/// where commands run on workers, "stop them harder", as does the third; the fourth ends the process where it
/// stands.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Routes SIGINT, SIGTERM and SIGHUP here until this object ends. SIGHUP stays ignored if it was (nohup).
  /// At most one object at a time may be installed.
  void install();
  /// What the signal handler does; tests call it. Async-signal-safe.
  void notify(int signal_number);

  bool requested() const { return count() > 0; }
  int count() const;
  /// The first signal that came; 0 when none did.
  int signal_number() const;
  /// Readable as soon as one signal came, and it stays so. Never read from it: `count()` says how many.
  int fd() const { return read_end_.get(); }

 private:
  Fd read_end_;
  Fd write_end_;
  volatile int count_ = 0;
  volatile int first_ = 0;
  bool installed_ = false;
};

}  // namespace slipway
